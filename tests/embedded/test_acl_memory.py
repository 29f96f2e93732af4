"""Memory: allocation, and copies that are made at once."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from ascendtensor import embedded
from ascendtensor.embedded import codes, memory

DEVICE_MEMORY = 2**24


def test_a_device_address_is_no_pointer(acl):
    address, ret = acl.rt.malloc(100, 0)
    assert ret == 0
    assert address in memory.DEVICE_RANGE
    assert address % 64 == 0
    assert acl.rt.free(address) == 0


@pytest.mark.parametrize(("size", "policy", "taken"), [(1, 0, 64), (32, 0, 64), (33, 2, 96), (64, 6, 64), (64, 99, 96)])
def test_what_an_allocation_takes(acl, size, policy, taken):
    address, ret = acl.rt.malloc(size, policy)
    assert ret == 0
    assert acl.rt.get_mem_info(1) == (DEVICE_MEMORY - taken, DEVICE_MEMORY, 0)
    assert acl.rt.free(address) == 0
    assert acl.rt.get_mem_info(1) == (DEVICE_MEMORY, DEVICE_MEMORY, 0)


def test_aligned_allocations_have_no_padding(acl):
    address, ret = acl.rt.malloc_align32(33, 0)
    assert ret == 0
    assert acl.rt.get_mem_info(0) == (DEVICE_MEMORY - 64, DEVICE_MEMORY, 0)
    assert acl.rt.free(address) == 0


def test_cached_memory_can_be_flushed(acl):
    address, ret = acl.rt.malloc_cached(64, 0)
    assert ret == 0
    assert acl.rt.mem_flush(address, 64) == 0
    assert acl.rt.mem_invalidate(address, 64) == 0
    assert acl.rt.mem_flush(address, 65) == codes.RT_PARAM_INVALID
    assert acl.rt.mem_invalidate(0, 64) == codes.INVALID_PARAM
    assert acl.rt.free(address) == 0


@pytest.mark.parametrize("attribute", [-1, 12, 1000])
def test_unknown_kinds_of_memory(acl, attribute):
    assert acl.rt.get_mem_info(attribute) == (0, 0, codes.RT_INVALID_MEMORY_TYPE)


@pytest.mark.parametrize("size", [0, -1, -32])
def test_sizes_that_cannot_be(acl, size):
    for call in (acl.rt.malloc, acl.rt.malloc_align32, acl.rt.malloc_cached):
        assert call(size, 0) == (0, codes.INVALID_PARAM)
    assert acl.rt.malloc_host(size) == (0, codes.INVALID_PARAM)


def test_running_out_of_memory(acl, program):
    assert acl.rt.malloc(DEVICE_MEMORY, 0) == (0, codes.RT_MEMORY_ALLOCATION)
    text = program.message()
    assert "ASCENDTENSOR_EMBEDDED_MEMORY" in text
    assert str(DEVICE_MEMORY) in text
    address, ret = acl.rt.malloc(DEVICE_MEMORY - 32, 0)
    assert ret == 0
    assert acl.rt.malloc(1, 0) == (0, codes.RT_MEMORY_ALLOCATION)
    assert acl.rt.free(address) == 0
    assert acl.rt.malloc(1, 0)[1] == 0


def test_each_device_has_its_own_memory(acl):
    assert acl.rt.malloc(DEVICE_MEMORY - 32, 0)[1] == 0
    assert acl.rt.set_device(1) == 0
    assert acl.rt.malloc(DEVICE_MEMORY - 32, 0)[1] == 0


def test_freeing_what_is_not_to_be_freed(acl, program):
    address = program.upload(bytes(64))
    host, _ = acl.rt.malloc_host(64)
    assert acl.rt.free(0) == codes.INVALID_PARAM
    assert acl.rt.free(address + 32) == codes.RT_PARAM_INVALID
    assert "32 bytes inside" in program.message()
    assert acl.rt.free(host) == codes.RT_PARAM_INVALID
    assert acl.rt.free(address) == 0
    assert acl.rt.free(address) == codes.RT_PARAM_INVALID
    assert acl.rt.free_host(0) == codes.INVALID_PARAM
    assert acl.rt.free_host(address) == codes.RT_PARAM_INVALID
    assert acl.rt.free_host(host + 1) == codes.RT_PARAM_INVALID
    assert acl.rt.free_host(host) == 0
    assert acl.rt.free_host(host) == codes.RT_PARAM_INVALID


def test_host_memory_is_real(acl):
    address, ret = acl.rt.malloc_host(100)
    assert ret == 0
    assert address % 64 == 0
    ctypes.memset(address, 7, 100)
    assert acl.util.ptr_to_bytes(address, 100) == b"\7" * 100
    assert acl.rt.free_host(address) == 0


@pytest.mark.parametrize("kind", [1, 4, 5])
def test_copies_to_the_device(acl, program, kind):
    device, data = program.upload(bytes(8)), b"abcdefgh"
    assert acl.rt.memcpy(device, 8, acl.util.bytes_to_ptr(data), 8, kind) == 0
    assert program.read(device, 8) == data


# kind -> the one pair of destination and source that it fits; kind 4 fits all.
FITTING = {0: "hh", 1: "dh", 2: "hd", 3: "dd", 5: "dh"}


@pytest.mark.parametrize("kind", range(6))
@pytest.mark.parametrize("sides", ["hh", "hd", "dh", "dd"])
@pytest.mark.parametrize("pinned", [False, True])
def test_a_kind_that_contradicts_its_addresses_is_refused(acl, program, kind, sides, pinned):
    places = {"d": [program.upload(bytes(8)) for _ in range(2)], "h": []}
    kept = [bytes(8), b"abcdefgh"]
    for data in kept:
        places["h"].append(acl.rt.malloc_host(8)[0] if pinned else acl.util.bytes_to_ptr(data))
    target, source = places[sides[0]][0], places[sides[1]][1]
    fits = FITTING.get(kind, sides) == sides
    assert acl.rt.memcpy(target, 8, source, 8, kind) == (0 if fits else codes.RT_PARAM_INVALID)
    message = acl.get_recent_err_msg()
    assert (message is None) == fits
    if not fits:
        assert f"kind {kind} copies" in message


@pytest.mark.parametrize("kind", range(6))
def test_every_kind_fits_where_host_and_device_share_their_memory(bare, program, kind):
    embedded.reset(soc="Ascend310B1")
    assert bare.rt.set_device(0) == 0
    device, _ = bare.rt.malloc(8, 0)
    data, back = b"abcdefgh", bytes(bytearray(8))
    assert bare.rt.memcpy(device, 8, bare.util.bytes_to_ptr(data), 8, kind) == 0
    assert bare.rt.memcpy(bare.util.bytes_to_ptr(back), 8, device, 8, kind) == 0
    assert back == data


def test_copies_between_all_places(acl, program):
    a, b = program.upload(b"12345678"), program.upload(bytes(8))
    assert acl.rt.memcpy(b + 2, 6, a, 4, 3) == 0
    assert program.read(b, 8) == b"\0\0" + b"1234" + b"\0\0"
    source, target = b"hosthost", bytes(bytearray(8))
    assert acl.rt.memcpy(acl.util.bytes_to_ptr(target), 8, acl.util.bytes_to_ptr(source), 8, 0) == 0
    assert target == source


def test_overlapping_copies_inside_a_block(acl, program):
    a = program.upload(b"12345678")
    assert acl.rt.memcpy(a + 2, 6, a, 6, 3) == 0
    assert program.read(a, 8) == b"12123456"


# In the order of the checks: each row passes those above it. {d}: 64 bytes on the device, {h}: on the host.
COPY_CHECKS = [
    (("0", 0, "0", 0, 9), 0),
    (("0", 8, "h", 8, 9), codes.INVALID_PARAM),
    (("d", 8, "0", 8, 9), codes.INVALID_PARAM),
    (("d", 0, "h", 8, 6), codes.INVALID_PARAM),
    (("d", 0, "h", 8, 7), codes.INVALID_PARAM),
    (("d", 0, "h", 8, -1), codes.INVALID_PARAM),
    (("d", 0, "h", 8, 1), codes.RT_PARAM_INVALID),
    (("d", 7, "h", 8, 1), codes.RT_PARAM_INVALID),
    (("x", 8, "x", 8, 1), 0),
    (("d", 64, "h", 64, 1), 0),
]


@pytest.mark.parametrize("name", ["memcpy", "memcpy_async"])
@pytest.mark.parametrize(("arguments", "code"), COPY_CHECKS)
def test_the_checks_of_copies_in_their_order(acl, program, name, arguments, code):
    host, _ = acl.rt.malloc_host(64)
    places = {"0": 0, "d": program.upload(bytes(64)), "h": host, "x": 0xDEAD}
    to, room, from_, count, kind = arguments
    stream = (0,) if name == "memcpy_async" else ()
    assert getattr(acl.rt, name)(places[to], room, places[from_], count, kind, *stream) == code
    assert (acl.get_recent_err_msg() is None) == (code == 0)


# Device ranges that are wrong, as an offset and a length in a block of 64 bytes.
@pytest.mark.parametrize(("offset", "count"), [(0, 65), (1, 64), (64, 1), (-1, 1), (512, 8)])
def test_device_ranges_that_leave_their_block(acl, program, offset, count):
    block = program.upload(bytes(64))
    host, _ = acl.rt.malloc_host(128)
    assert acl.rt.memcpy(block + offset, 128, host, count, 1) == codes.RT_PARAM_INVALID
    assert acl.rt.memcpy(host, 128, block + offset, count, 2) == codes.RT_PARAM_INVALID
    assert acl.rt.memset(block + offset, 128, 0, count) == codes.RT_PARAM_INVALID


def test_freed_memory_stays_wrong(acl, program):
    block = program.upload(bytes(64))
    host, _ = acl.rt.malloc_host(64)
    assert acl.rt.free(block) == 0
    other = program.upload(bytes(64))
    assert other != block
    assert acl.rt.memcpy(host, 64, block, 64, 2) == codes.RT_PARAM_INVALID
    assert "freed" in program.message()
    assert acl.rt.free_host(host) == 0


def test_page_locked_memory_has_bounds_too(acl, program):
    block = program.upload(bytes(64))
    host, _ = acl.rt.malloc_host(32)
    assert acl.rt.memcpy(host, 64, block, 64, 2) == codes.RT_PARAM_INVALID
    assert "page-locked" in program.message()


@pytest.mark.parametrize("address", [1, 0x7FF, 2**63, 2**64 - 1, 0x00A0_0000_0000_0000 - 64, 0x0100_0000_0000_0000])
def test_numbers_that_are_no_address_do_not_crash(acl, program, address):
    block = program.upload(bytes(64))
    assert acl.rt.memcpy(block, 64, address, 64, 1) == codes.RT_PARAM_INVALID
    assert acl.rt.memcpy(address, 64, block, 64, 2) == codes.RT_PARAM_INVALID
    assert acl.rt.memset(address, 64, 0, 64) == codes.RT_PARAM_INVALID


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("0", 0, 0, 0), 0),
        (("0", 8, 0, 8), codes.INVALID_PARAM),
        (("d", 7, 0, 8), codes.RT_PARAM_INVALID),
        (("n", 8, 0, 8), codes.RT_PARAM_INVALID),
        (("d", 8, 0x1FF, 8), 0),
        (("h", 8, 0xFF, 8), 0),
    ],
)
def test_memset(acl, program, arguments, code):
    host, _ = acl.rt.malloc_host(8)
    ordinary = bytes(bytearray(8))
    places = {"0": 0, "d": program.upload(bytes(8)), "h": host, "n": acl.util.bytes_to_ptr(ordinary)}
    place, room, value, count = arguments
    assert acl.rt.memset(places[place], room, value, count) == code
    if code == 0 and count:
        assert program.read(places[place], 8) == b"\xff" * 8
    assert ordinary == bytes(8)


def test_rows_are_copied_between_pitches(acl, program):
    host = np.arange(24, dtype=np.uint8).reshape(4, 6)
    device = program.upload(bytes(4 * 8))
    assert acl.rt.memcpy2d(device, 8, host.ctypes.data, 6, 5, 4, 1) == 0
    rows = np.frombuffer(program.read(device, 32), np.uint8).reshape(4, 8)
    assert np.array_equal(rows[:, :5], host[:, :5])
    assert not rows[:, 5:].any()
    back = np.zeros((4, 6), np.uint8)
    assert acl.rt.memcpy2d(back.ctypes.data, 6, device, 8, 5, 4, 2) == 0
    assert np.array_equal(back[:, :5], host[:, :5])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("0", 8, "0", 8, 0, 4, 1), 0),
        (("0", 8, "0", 8, 4, 0, 1), 0),
        (("0", 8, "h", 8, 8, 8, 1), codes.INVALID_PARAM),
        (("d", 8, "h", 7, 8, 8, 1), codes.INVALID_PARAM),
        (("d", 7, "h", 8, 8, 8, 1), codes.INVALID_PARAM),
        (("d", 8, "h", 8, 8, 8, 3), codes.RT_FEATURE_NOT_SUPPORT),
        (("d", 8, "h", 8, 8, 8, 0), codes.INVALID_PARAM),
        (("d", 8, "h", 8, 8, 9, 1), codes.RT_PARAM_INVALID),
        (("d", 8, "h", 8, 8, 8, 4), 0),
    ],
)
def test_the_checks_of_copies_by_rows(acl, program, arguments, code):
    host, _ = acl.rt.malloc_host(64)
    places = {"0": 0, "d": program.upload(bytes(64)), "h": host}
    to, dpitch, from_, *rest = arguments
    spitch, width, height, kind = rest
    assert acl.rt.memcpy2d(places[to], dpitch, places[from_], spitch, width, height, kind) == code


def test_where_a_pointer_points(acl, program):
    device = program.upload(bytes(8))
    attributes, ret = acl.rt.pointer_get_attributes(device)
    assert (attributes["location"], ret) == ({"id": 0, "type": 1}, 0)
    host, _ = acl.rt.malloc_host(8)
    attributes, ret = acl.rt.pointer_get_attributes(host)
    assert (attributes["location"]["type"], ret) == (0, 0)
    assert acl.rt.pointer_get_attributes(0)[1] == codes.INVALID_PARAM


def test_live_memory_is_reported(acl, program):
    address = program.upload(bytes(8))
    host, _ = acl.rt.malloc_host(8)
    live = embedded.live_handles()
    assert live["device memory"] == [address]
    assert live["page-locked memory"] == [host]
    acl.rt.free(address)
    acl.rt.free_host(host)
    assert embedded.live_handles().keys() == {"device"}


def test_chips_that_share_memory_have_one_kind_of_address(bare):
    embedded.reset(soc="Ascend310B1")
    assert bare.rt.set_device(0) == 0
    address, ret = bare.rt.malloc(8, 0)
    assert ret == 0
    ctypes.memmove(address, b"12345678", 8)
    assert bare.util.ptr_to_bytes(address, 8) == b"12345678"
    assert bare.rt.memset(address, 8, 7, 8) == 0
    assert bare.util.ptr_to_bytes(address, 8) == b"\7" * 8
    assert bare.rt.free(address) == 0
    assert bare.rt.free(address) == codes.RT_PARAM_INVALID

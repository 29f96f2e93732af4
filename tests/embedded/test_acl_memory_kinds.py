"""The rarer kinds of memory: virtual, registered, handed on by a key; and addresses at which nothing is mapped."""

from __future__ import annotations

import mmap

import numpy as np
import pytest

from ascendtensor import embedded
from ascendtensor.embedded import codes, process_memory

MIB2 = 2 * 2**20
PROPERTIES = {"handleType": 0, "allocationType": 0, "memAttr": 1, "location": {"id": 0, "type": 1}, "reserve": 0}
UNMAPPED = 0x7000_0000_0000


@pytest.fixture
def mapping(acl):
    """A reserved range with memory behind it: address and handle."""
    address, ret = acl.rt.reserve_mem_address(2 * MIB2, 0, 0, 1)
    assert ret == 0
    handle, ret = acl.rt.malloc_physical(MIB2, PROPERTIES, 0)
    assert ret == 0
    assert acl.rt.map_mem(address, MIB2, 0, handle, 0) == 0
    return address, handle


def test_virtual_memory_is_used_as_any_other(acl, program, mapping):
    address, handle = mapping
    program.write(address, b"12345678")
    assert program.read(address + 4, 4) == b"5678"
    assert acl.rt.memset(address + MIB2 - 4, 4, 1, 4) == 0
    data = bytes(8)
    assert acl.rt.memcpy(address + MIB2 - 4, 8, acl.util.bytes_to_ptr(data), 8, 1) == codes.RT_PARAM_INVALID
    assert embedded.live_handles()["mapped memory"] == [address]
    assert acl.rt.free(address) == codes.RT_PARAM_INVALID
    assert "acl.rt.unmap_mem" in program.message()
    assert acl.rt.release_mem_address(address) == codes.RT_PARAM_INVALID
    assert acl.rt.unmap_mem(address) == 0
    assert acl.rt.memset(address, 4, 1, 4) == codes.RT_PARAM_INVALID
    assert acl.rt.unmap_mem(address) == codes.RT_PARAM_INVALID
    # The memory is still there, for another place.
    assert acl.rt.map_mem(address + MIB2, MIB2, 0, handle, 0) == 0
    assert program.read(address + MIB2, 4) == b"1234"


def test_memory_goes_when_nothing_holds_it(acl, mapping):
    address, handle = mapping
    free, total, _ = acl.rt.get_mem_info(1)
    assert total - free == MIB2
    assert acl.rt.free_physical(handle) == 0
    assert acl.rt.free_physical(handle) == codes.INVALID_PARAM
    assert acl.rt.get_mem_info(1)[0] == free
    assert acl.rt.unmap_mem(address) == 0
    assert acl.rt.get_mem_info(1)[0] == total
    assert acl.rt.release_mem_address(address) == 0
    assert acl.rt.release_mem_address(address) == codes.RT_PARAM_INVALID


def test_a_reset_device_loses_its_mappings(acl, mapping):
    address, _ = mapping
    assert acl.rt.reset_device(0) == 0
    assert acl.rt.set_device(0) == 0
    assert acl.rt.unmap_mem(address) == codes.RT_PARAM_INVALID
    assert acl.rt.release_mem_address(address) == 0


@pytest.mark.parametrize(
    ("size", "offset", "flags", "shift", "code"),
    [
        (MIB2 // 2, 0, 0, 0, codes.INVALID_PARAM),
        (MIB2, 1, 0, 0, codes.INVALID_PARAM),
        (MIB2, 0, 1, 0, codes.INVALID_PARAM),
        (MIB2, 0, 0, 0, codes.RT_PARAM_INVALID),
        (MIB2, 0, 0, 64, codes.RT_PARAM_INVALID),
        (MIB2, 0, 0, 2 * MIB2, codes.RT_PARAM_INVALID),
    ],
)
def test_wrong_mappings(acl, mapping, size, offset, flags, shift, code):
    address, handle = mapping
    assert acl.rt.map_mem(address + shift, size, offset, handle, flags) == code


@pytest.mark.parametrize(("size", "code"), [(0, codes.INVALID_PARAM), (MIB2 + 1, codes.INVALID_PARAM)])
def test_sizes_are_whole_pages(acl, size, code):
    assert acl.rt.malloc_physical(size, PROPERTIES, 0) == (0, code)
    assert acl.rt.reserve_mem_address(size, 0, 0, 0) == (0, code)
    assert acl.rt.mem_get_allocation_granularity(PROPERTIES, 0) == (MIB2, 0)
    assert acl.rt.malloc_physical(2**24 + MIB2, PROPERTIES, 0) == (0, codes.RT_MEMORY_ALLOCATION)


def test_the_properties_are_a_dict_and_read_leniently(acl):
    with pytest.raises(TypeError):
        acl.rt.malloc_physical(MIB2, None, 0)
    with pytest.raises(ValueError, match="32 bits"):
        acl.rt.malloc_physical(MIB2, {"location": {"id": 2**40, "type": 1}}, 0)
    assert acl.rt.malloc_physical(MIB2, {}, 0) == (0, codes.INVALID_PARAM)
    assert acl.rt.malloc_physical(MIB2, {"location": {"id": 9, "type": 1}}, 0) == (0, codes.RT_INVALID_DEVICEID)
    handle, ret = acl.rt.malloc_physical(MIB2, {"location": {"type": 1, "id": "0"}}, 0)
    assert handle
    assert ret == 0


def test_physical_memory_is_shared_by_a_number(acl, program, mapping):
    address, handle = mapping
    program.write(address, b"here")
    number, ret = acl.rt.mem_export_to_shareable_handle(handle, 0, 0)
    assert ret == 0
    assert acl.rt.mem_set_pid_to_shareable_handle(number, [acl.rt.device_get_bare_tgid()[0]]) == 0
    other, ret = acl.rt.mem_import_from_shareable_handle(number, 0)
    assert ret == 0
    assert acl.rt.map_mem(address + MIB2, MIB2, 0, other, 0) == 0
    assert program.read(address + MIB2, 4) == b"here"
    assert acl.rt.mem_import_from_shareable_handle(number + 1, 0) == (0, codes.RT_PARAM_INVALID)


# Registered host memory.


@pytest.fixture
def page():
    """Host memory of the program's own: array and address."""
    array = np.zeros(4096, np.uint8)
    return array, array.ctypes.data


def test_the_device_reaches_registered_memory(acl, program, page):
    array, host = page
    address, ret = acl.rt.host_register(host, array.nbytes, 0)
    assert ret == 0
    assert acl.rt.host_get_device_pointer(host + 8, 0) == (address + 8, 0)
    program.write(address, b"written")
    assert array[:7].tobytes() == b"written"
    assert embedded.live_handles()["registered host memory"] == [host]
    values = np.arange(8, dtype=np.float32)
    array[:32] = np.frombuffer(values.tobytes(), np.uint8)
    desc = program.desc(values)
    source, target = (acl.create_data_buffer(address + offset, 32) for offset in (0, 64))
    assert acl.op.execute_v2("Neg", [desc], [source], [desc], [target], 0, 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(array[64:96].view(np.float32), -values)
    assert acl.rt.host_unregister(host) == 0
    assert acl.rt.host_unregister(host) == codes.RT_PARAM_INVALID
    assert acl.rt.memset(address, 8, 1, 8) == codes.RT_PARAM_INVALID


def test_copies_of_registered_memory_are_asynchronous(acl, program, page):
    array, host = page
    device = program.upload(np.full(8, 7, np.uint8))
    stream = program.stream()
    assert acl.rt.host_register_v2(host, array.nbytes, 2) == 0
    assert acl.rt.memcpy_async(host, 8, device, 8, 2, stream) == 0
    assert not array.any()
    assert acl.rt.synchronize_stream(stream) == 0
    assert array[:8].all()


@pytest.mark.parametrize(
    ("place", "size", "kind", "code"),
    [
        (0, 8, 0, codes.INVALID_PARAM),
        (None, 0, 0, codes.INVALID_PARAM),
        (None, 8, 1, codes.INVALID_PARAM),
        (UNMAPPED, 8, 0, codes.RT_PARAM_INVALID),
        (2**60, 8, 0, codes.RT_PARAM_INVALID),
    ],
)
def test_what_cannot_be_registered(acl, page, place, size, kind, code):
    assert acl.rt.host_register(page[1] if place is None else place, size, kind) == (0, code)


def test_registered_memory_is_registered_once_and_not_freed(acl, page):
    assert acl.rt.host_register(page[1], 64, 0)[1] == 0
    assert acl.rt.host_register(page[1] + 8, 8, 0) == (0, codes.RT_PARAM_INVALID)
    assert acl.rt.free_host(page[1]) == codes.RT_PARAM_INVALID


# Memory by a key.


def test_a_key_leads_to_the_same_memory(acl, program):
    address = program.upload(np.arange(8, dtype=np.uint8))
    key, ret = acl.rt.ipc_mem_get_export_key(address, 8, 65, 0)
    assert ret == 0
    assert acl.rt.ipc_mem_set_import_pid(key, [1, 2]) == 0
    other, ret = acl.rt.ipc_mem_import_by_key(key, 0)
    assert ret == 0
    assert other != address
    program.write(other, b"\xff")
    assert program.read(address, 2) == b"\xff\x01"
    assert acl.rt.ipc_mem_import_by_key(key, 0) == (0, codes.RT_PARAM_INVALID)
    assert acl.rt.ipc_mem_close(key) == 0
    assert acl.rt.ipc_mem_close(key) == codes.INVALID_PARAM
    assert acl.rt.memset(other, 1, 0, 1) == codes.RT_PARAM_INVALID
    assert acl.rt.ipc_mem_get_export_key(address, 8, 64, 0) == ("", codes.INVALID_PARAM)
    assert acl.rt.ipc_mem_get_export_key(address, 9, 65, 0) == ("", codes.RT_PARAM_INVALID)
    assert acl.rt.ipc_mem_import_by_key("no key", 0) == (0, codes.RT_PARAM_INVALID)


# Allocating with a configuration.


@pytest.mark.parametrize("name", ["malloc_with_cfg", "malloc_for_task_scheduler", "malloc_host_with_cfg"])
def test_configurations(acl, name):
    def allocate(configuration):
        return getattr(acl.rt, name)(*((64,) if "host" in name else (64, 0)), configuration)

    assert allocate({})[1] == 0
    assert allocate({"attrs": [{"attr": 1, "value": {"moduleId": 3}}], "numAttrs": 1})[1] == 0
    with pytest.raises(TypeError):
        allocate(None)
    with pytest.raises(TypeError):
        allocate({"numAttrs": 1})
    for wrong in ({"attrs": []}, {"attrs": [], "numAttrs": 1}):
        with pytest.raises(KeyError):
            allocate(wrong)


# Addresses that look right.


@pytest.fixture
def read_only():
    with mmap.mmap(-1, 4096, prot=mmap.PROT_READ) as area:
        array = np.frombuffer(area, np.uint8)
        yield array.ctypes.data
        del array


needs_kernel_copies = pytest.mark.skipif(process_memory._copy is None, reason="the kernel makes no such copies here")


@needs_kernel_copies
@pytest.mark.parametrize("size", [1, 4096, 10**6])
def test_unmapped_host_memory_gives_a_code(acl, program, size):
    device, _ = acl.rt.malloc(size, 0)
    host, _ = acl.rt.malloc_host(size)
    for target, source, kind in [
        (device, UNMAPPED, 1),
        (UNMAPPED, device, 2),
        (UNMAPPED, host, 0),
        (host, UNMAPPED, 0),
    ]:
        assert acl.rt.memcpy(target, size, source, size, kind) == codes.RT_PARAM_INVALID
        assert "not mapped" in program.message()
    assert acl.rt.memcpy_async(device, size, UNMAPPED, size, 1, 0) == codes.RT_PARAM_INVALID
    assert acl.rt.memcpy2d(device, size, UNMAPPED, size, size, 1, 1) == codes.RT_PARAM_INVALID
    assert acl.set_tensor_const(acl.create_tensor_desc(3, [1], 2), UNMAPPED, size) == codes.INVALID_PARAM
    with pytest.raises(ValueError, match="not mapped"):
        acl.util.ptr_to_bytes(UNMAPPED, size)
    with pytest.raises(ValueError, match="not mapped"):
        acl.util.ptr_to_numpy(UNMAPPED, (size,), 2)


@needs_kernel_copies
def test_read_only_host_memory_is_read_but_not_written(acl, program, read_only):
    device = program.upload(np.ones(64, np.uint8))
    assert acl.rt.memcpy(read_only, 64, device, 64, 2) == codes.RT_PARAM_INVALID
    assert acl.rt.memcpy(device, 64, read_only, 64, 1) == 0
    assert program.read(device, 64) == bytes(64)
    with pytest.raises(ValueError, match="writable"):
        acl.util.ptr_to_numpy(read_only, (64,), 2)


def test_a_view_keeps_page_locked_memory(acl):
    host, _ = acl.rt.malloc_host(64)
    assert acl.rt.memset(host, 64, 5, 64) == 0
    view = acl.util.ptr_to_numpy(host, (8,), 2)
    assert acl.rt.free_host(host) == 0
    assert view.tolist() == [5] * 8


# Copies described in advance, sums, and caches.


def test_a_copy_described_in_advance(acl, program):
    source, target = program.upload(np.arange(8, dtype=np.uint8)), program.upload(np.zeros(8, np.uint8))
    size, ret = acl.rt.get_memcpy_desc_size(3)
    assert ret == 0
    description, _ = acl.rt.malloc(size, 0)
    assert acl.rt.set_memcpy_desc(description, 3, source, target, 8, 0) == (description, 0)
    assert acl.rt.memcpy_async_with_desc(description, 3, 0) == 0
    assert program.read(target, 8) == bytes(8)
    assert acl.rt.synchronize_stream(0) == 0
    assert program.read(target, 8) == bytes(range(8))
    assert acl.rt.memcpy_async_with_desc(target, 3, 0) == codes.INVALID_PARAM
    assert acl.rt.get_memcpy_desc_size(1) == (0, codes.INVALID_PARAM)


@pytest.mark.parametrize(("kind", "combine"), [(10, np.add), (11, np.maximum), (12, np.minimum)])
@pytest.mark.parametrize(("number", "dtype"), [(0, np.float32), (1, np.float16), (3, np.int32), (2, np.int8)])
def test_sums_in_memory(acl, program, kind, combine, number, dtype):
    a, b = np.arange(8).astype(dtype), np.full(8, 3, dtype)
    target, source = program.upload(a), program.upload(b)
    assert acl.rt.reduce_async(target, source, a.nbytes, kind, number, 0, 0) == 0
    assert acl.rt.synchronize_stream(0) == 0
    assert np.array_equal(program.download(target, a), combine(a, b))


@pytest.mark.parametrize(
    ("count", "kind", "number", "code"),
    [(0, 10, 0, 100000), (8, 9, 0, 100000), (8, 10, 9, codes.RT_FEATURE_NOT_SUPPORT), (6, 10, 0, 107000)],
)
def test_wrong_sums(acl, program, count, kind, number, code):
    address = program.upload(np.zeros(8, np.float32))
    assert acl.rt.reduce_async(address, address, count, kind, number, 0, 0) == code


def test_caches_are_passed_over_but_checked(acl, program):
    address = program.upload(np.zeros(8, np.float32))
    assert acl.rt.cmo_async(address, 32, 0, 0) == 0
    assert acl.rt.cmo_async(address, 33, 0, 0) == 0
    assert acl.rt.cmo_async(address, 32, 4, 0) == codes.INVALID_PARAM
    assert acl.rt.synchronize_stream(0) == codes.RT_SYS_DMA

"""Errors of `acl` calls: the code, its ACL name, the function, and what to do about it."""

from __future__ import annotations

from numpy.linalg import LinAlgError

from ..embedded.codes import ERRORS
from .binding import acl

__all__ = ["AclError", "HostFallbackWarning", "LinAlgError", "OutOfMemoryError", "check", "handle_of"]

OUT_OF_MEMORY = 207001
AICPU_EXCEPTION = 507018
_NO_HANDLE = 200000

# What the user can do about a code; the others speak for themselves.
_ADVICE: dict[int, str] = {
    100000: "an argument was refused: this is an error of ascendtensor, please report it with the lines above",
    100024: "no kernel for this operator and these dtypes and shapes is loaded on the device",
    107001: "the device number is out of range: see ascendtensor.npu.device_count()",
    107002: "the thread has no device: this is an error of ascendtensor, please report it",
    OUT_OF_MEMORY: "the device's memory is used up: free tensors, or work on smaller pieces",
    507046: "the work on the stream took longer than the limit",
    507047: "the event did not happen within the limit",
}


class AclError(RuntimeError):
    """A call of `acl` failed.

    Attributes:
        code: the number that `acl` returned.
        name: its ACL name, for instance `ACL_ERROR_INVALID_PARAM`.
        function: the `acl` function that returned it.
    """

    def __init__(self, function: str, code: int, details: str = "") -> None:
        self.function = function
        self.code = code
        self.name = ERRORS.get(code, "a code without a name")
        parts = [f"{function} returned {code} ({self.name})", details, _ADVICE.get(code, "")]
        super().__init__("; ".join(part for part in parts if part))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.function, self.code, self.args)


class OutOfMemoryError(AclError):
    """The device has no memory left, even after the allocator's cache was given back."""


class HostFallbackWarning(UserWarning):
    """A function ran on the host, because no engine of the device has its dtype."""


def _rebuilt(kind: type[AclError], function: str, code: int, args: tuple[str, ...]) -> AclError:
    error = kind(function, code)
    error.args = args
    return error


def check(function: str, code: int, about: str = "") -> None:
    """Raise what a code means; 0 is success.

    Parameters:
        function: the `acl` function that returned it.
        about: what the call was for, in words for the user.

    Raises:
        AclError: the code is not 0.
    """
    if code != 0:
        message = acl().get_recent_err_msg() or ""
        raise AclError(function, code, "; ".join(part for part in (about, message.strip()) if part))


def handle_of(function: str, handle: int) -> int:
    """A handle that a function made, which gives 0 and no code where it could not.

    Raises:
        AclError: there is no handle.
    """
    if handle == 0:
        check(function, _NO_HANDLE, "no handle could be made")
    return handle

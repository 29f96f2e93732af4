"""A pytest plug-in that adds this library to the backends of array-api-extra's own tests.

They are a member of an enumeration each, which can be extended only from outside the language's rules. The tests take
double precision for the default, as NumPy has it.
"""

from __future__ import annotations

from array_api_extra._lib._backends import Backend

import ascendtensor as at

at.set_default_dtype(at.float64)

member = object.__new__(Backend)
member._name_ = "ASCENDTENSOR"
member._value_ = "ascendtensor"
Backend._member_names_.append(member._name_)
Backend._member_map_[member._name_] = member
Backend._value2member_map_[member._value_] = member

"""Verification: the registry's declarations, and the calls made by them, held against what somebody else lists.

python -m ops_registry verify                       the calls of all lowerings, against the declarations
python -m ops_registry verify --opp PATH            ... and both against an installed CANN
python -m ops_registry verify --table FILE          ... or against a table gathered from a release
python -m ops_registry verify --calls FILE          calls that a program made, as the embedded runtime recorded them
"""

from .calls import check_calls, recorded_calls, sampled_calls
from .declarations import check_declarations
from .findings import Findings
from .installation import read_installation
from .operator_list import OperatorList, own_declarations
from .table import read_table

__all__ = [
    "Findings",
    "OperatorList",
    "check_calls",
    "check_declarations",
    "own_declarations",
    "read_installation",
    "read_table",
    "recorded_calls",
    "sampled_calls",
]

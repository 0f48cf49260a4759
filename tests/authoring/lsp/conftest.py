"""Settings of the tests of the language server; they need its extra."""

import pytest

pytest.importorskip("pygls")

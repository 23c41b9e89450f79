from enum import Enum

UNKNOWN_NAME = "WA-RES-I-001"
RETIRED = "WA-RES-I-009"
LAYER = "WA"
NO_FILE = LAYER + "-READ-I-001"
BY_NAME = {"disk": "WA-READ-E-001", "gone": "WA-READ-E-404"}


class Codes(str, Enum):
    CLOSED = "CT-GATE-I-001"
    NOT_YOURS = "EN-WRITE-D-001"
    ALIEN = "DB-READ-E-001"
    OPENED = "CT-OPEN-I-001"

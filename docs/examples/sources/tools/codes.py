UNKNOWN_NAME = "WA-RES-I-001"
NO_DISK = "wa-read-e-1"

qj¼ùçEÍ‹m?ÆÐ“êE`ëæ{_Í=xžýdlp}h@K|¹z9+•qWRÃLk›¿hÔ,'þÞþO+¥¨

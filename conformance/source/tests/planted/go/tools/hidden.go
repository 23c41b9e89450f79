package tools

const hidden = "WA-READ-E-405"

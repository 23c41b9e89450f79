module example.org/planted

go 1.22

module binnacle.local/release

go 1.24

module github.com/binnacle-dev/binnacle/clients/go

go 1.22

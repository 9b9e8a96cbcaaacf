module zonewright.invalid/libdns

go 1.20

require (
	github.com/libdns/libdns v0.2.1
	github.com/libdns/linode v0.4.1
)

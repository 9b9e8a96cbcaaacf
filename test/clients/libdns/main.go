// Calls github.com/libdns/linode as its users do: `libdns METHOD ZONE RECORDS` takes records as JSON, and writes those
// of the reply. `libdns version` tells the version of the module.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/libdns/libdns"
	"github.com/libdns/linode"
)

func main() {
	provider := linode.Provider{
		APIToken:   os.Getenv("LINODE_TOKEN"),
		APIURL:     os.Getenv("LINODE_URL"),
		APIVersion: os.Getenv("LINODE_API_VERSION"),
	}
	if os.Args[1] == "version" {
		info, _ := debug.ReadBuildInfo()
		for _, module := range info.Deps {
			if module.Path == "github.com/libdns/linode" {
				fmt.Println(module.Version)
			}
		}
		return
	}
	method, zone := os.Args[1], os.Args[2]
	ctx := context.Background()
	call := map[string]func(context.Context, string, []libdns.Record) ([]libdns.Record, error){
		"append": provider.AppendRecords,
		"set":    provider.SetRecords,
		"delete": provider.DeleteRecords,
		"get": func(ctx context.Context, zone string, _ []libdns.Record) ([]libdns.Record, error) {
			return provider.GetRecords(ctx, zone)
		},
	}[method]
	var records []libdns.Record
	err := json.Unmarshal([]byte(os.Args[3]), &records)
	if err == nil {
		records, err = call(ctx, zone, records)
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(records)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

package server

import (
	"testing"
	"time"
)

// at returns a connection that arrived some seconds after the epoch. Nothing is sent over it.
func at(d *door, host string, second int64, known, working bool) *visitor {
	return &visitor{door: d, host: host, since: time.Unix(second, 0), known: known, working: working}
}

func TestDoor_WhoHasNoTokenLosesTheirPlaceFirst(t *testing.T) {
	t.Parallel()
	const here = "127.0.0.1"
	for name, tc := range map[string]struct {
		known, working [3]bool // of the connections that arrived at 1, 2 and 3
		lost           int64   // 0: the new connection is rejected
	}{
		"all new":                        {[3]bool{}, [3]bool{true, true, true}, 1},
		"the oldest has a token":         {[3]bool{true, false, false}, [3]bool{true, true, true}, 2},
		"an idle one with a token":       {[3]bool{true, true, false}, [3]bool{false, true, true}, 3},
		"all with a token, two idle":     {[3]bool{true, true, true}, [3]bool{true, false, false}, 2},
		"all with a token and at work":   {[3]bool{true, true, true}, [3]bool{true, true, true}, 0},
		"without token, idle or not":     {[3]bool{true, false, true}, [3]bool{false, false, false}, 2},
		"with a token, idle for longest": {[3]bool{true, true, true}, [3]bool{false, false, false}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDoor(nil, 3)
			for i := range 3 {
				if out, ok := d.admit(at(d, here, int64(i+1), tc.known[i], tc.working[i])); out != nil || !ok {
					t.Fatalf("no place for connection %d of 3", i+1)
				}
			}
			out, ok := d.admit(at(d, here, 4, false, true))
			if ok != (tc.lost != 0) || ok && out.since.Unix() != tc.lost {
				t.Errorf("admitted %v, out %+v, want %d out", ok, out, tc.lost)
			}
			if len(d.open) != 3 {
				t.Errorf("%d open", len(d.open))
			}
		})
	}
}

func TestDoor_OneRemoteAddressGetsHalfOfThePlaces(t *testing.T) {
	t.Parallel()
	d := newDoor(nil, 8)
	for i := range int64(20) {
		if out, ok := d.admit(at(d, "192.0.2.1", i, true, true)); out != nil || ok != (i < 4) {
			t.Fatalf("connection %d: admitted %v, out %v", i, ok, out)
		}
	}
	for i := range int64(4) {
		if out, ok := d.admit(at(d, "192.0.2.2", i, false, true)); out != nil || !ok {
			t.Fatalf("connection %d of another address: admitted %v, out %v", i, ok, out)
		}
	}
	if out, ok := d.admit(at(d, "192.0.2.2", 9, false, true)); !ok || out == nil || out.host != "192.0.2.2" ||
		out.since.Unix() != 0 {
		t.Errorf("one more from the same address: admitted %v, out %+v", ok, out)
	}
	local := newDoor(nil, 8)
	for i := range int64(8) {
		if out, ok := local.admit(at(local, "::1", i, true, true)); out != nil || !ok {
			t.Fatalf("connection %d of this machine: admitted %v, out %v", i, ok, out)
		}
	}
}

func TestPlaces_LeaveFilesForTheDatabase(t *testing.T) {
	t.Parallel()
	for files, want := range map[uint64]int{0: 8, 16: 8, 256: 128, 1024: 512, 4096: 1024, 1 << 63: 1024} {
		if got := places(files); got != want {
			t.Errorf("places(%d) = %d, want %d", files, got, want)
		}
	}
}

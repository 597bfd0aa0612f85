package cli

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"
)

// count is a flag that takes 0 or more.
type count struct{ n *int }

// countVar defines a flag that takes 0 or more.
func countVar(c *cobra.Command, n *int, name, usage string) { c.Flags().Var(count{n}, name, usage) }

// String implements pflag.Value.
func (c count) String() string {
	if c.n == nil {
		return "0"
	}
	return strconv.Itoa(*c.n)
}

// Type implements pflag.Value.
func (c count) Type() string { return "int" }

// Set implements pflag.Value.
func (c count) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1<<31-1 {
		return errors.New("it must be a whole number, 0 or more")
	}
	*c.n = n
	return nil
}

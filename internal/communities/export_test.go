package communities

import "errors"

// Fill sets a model's answer.
func Fill(into any, name, summary string) error {
	d, ok := into.(*description)
	if !ok {
		return errors.New("not a description")
	}
	d.Name, d.Summary = name, summary
	return nil
}

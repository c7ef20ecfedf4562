import type { Signal } from '@preact/signals'

/** A box that one ticks, and what it says. */
export const Check = ({ label, value }: { label: string; value: Signal<boolean> }) => (
  <label class="check">
    <input
      type="checkbox"
      checked={value.value}
      onChange={event => {
        value.value = event.currentTarget.checked
      }}
    />{' '}
    {label}
  </label>
)

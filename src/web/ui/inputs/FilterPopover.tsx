import { Popover } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { FilterChip } from '../layout/page.tsx'

/** Filter chip that opens a popover with its controls; `children` receives a function that closes it. */
export function FilterPopover(props: {
  label: string
  active: boolean
  onClear: () => void
  children: (close: () => void) => ReactNode
}) {
  const { label, active, onClear, children } = props
  const [opened, setOpened] = useState(false)
  return (
    // A date field that gets the focus may scroll the page without the user; the popover stays open then.
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      width={254}
      trapFocus
      withRoles={false}
      hideDetached={false}
    >
      <Popover.Target>
        <span>
          <FilterChip
            label={label}
            active={active}
            opened={opened}
            onClick={() => setOpened(!opened)}
            onClear={onClear}
          />
        </span>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        {children(() => setOpened(false))}
      </Popover.Dropdown>
    </Popover>
  )
}

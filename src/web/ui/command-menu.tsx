import { ActionIcon, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { Keys } from './bits.tsx'
import { available, type Command } from './command.ts'
import { MoreIcon } from './icons.ts'

/** A menu of commands behind ⋯ (or another target): destructive ones last, after a divider, in red. */
export function CommandMenu(props: {
  commands: readonly Command[]
  label?: string
  target?: ReactNode
  size?: number
}) {
  const { commands, label = 'Mais ações', target, size = 32 } = props
  const shown = available(commands)
  const plain = shown.filter((one) => one.tone !== 'neg')
  const harsh = shown.filter((one) => one.tone === 'neg')
  if (shown.length === 0) return null
  const item = (one: Command) => (
    <Menu.Item
      key={one.id}
      onClick={one.run}
      data-tone={one.tone}
      leftSection={one.icon && <one.icon size={17} />}
      rightSection={one.shortcut && <Keys of={one.shortcut} />}
    >
      {one.label}
    </Menu.Item>
  )
  return (
    <Menu width={228} position="bottom-end">
      <Menu.Target>
        {target ?? (
          <ActionIcon aria-label={label} size={size}>
            <MoreIcon size={18} />
          </ActionIcon>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {plain.map((one, index) => (
          <span key={one.id} style={{ display: 'contents' }}>
            {index > 0 && one.group !== plain[index - 1]?.group && <Menu.Divider />}
            {item(one)}
          </span>
        ))}
        {plain.length > 0 && harsh.length > 0 && <Menu.Divider />}
        {harsh.map(item)}
      </Menu.Dropdown>
    </Menu>
  )
}

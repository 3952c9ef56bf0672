import { Menu } from '@mantine/core'
import { Fragment, use } from 'react'
import { Keys } from '../identity/badges.tsx'
import { available, type Command, type MenuPosition } from './command.ts'
import css from './command-menu.module.css'

// The button that opened it says so itself; the anchor is nothing. What Menu does not know goes on to its Popover.
const withoutRoles = { withRoles: false }

/** An open menu of commands, beside its parent element; `label` is its name for those who cannot see it. */
export function OpenMenu(props: {
  /** Those that may be run now are shown. */
  commands: readonly Command[] | Promise<readonly Command[]>
  position: MenuPosition
  label: string
  onClose: () => void
  header?: string
}) {
  const { position, label, onClose, header } = props
  const commands = available(props.commands instanceof Promise ? use(props.commands) : props.commands)
  const plain = commands.filter((one) => one.tone !== 'neg')
  const harsh = commands.filter((one) => one.tone === 'neg')
  const item = ({ id, label, icon: Icon, run, tone, shortcut, checked }: Command) =>
    checked === undefined ? (
      <Menu.Item
        key={id}
        data-tone={tone}
        closeMenuOnClick={false}
        leftSection={Icon && <Icon size={17} />}
        rightSection={shortcut && <Keys of={shortcut} />}
        onClick={() => {
          onClose()
          run()
        }}
      >
        {label}
      </Menu.Item>
    ) : (
      <Menu.CheckboxItem
        key={id}
        checked={checked}
        checkIcon={Icon && <Icon size={17} />}
        closeMenuOnClick={false}
        rightSection={<i className={css.switch} data-on={checked || undefined} />}
        onChange={run}
      >
        {label}
      </Menu.CheckboxItem>
    )
  return (
    <Menu opened onClose={onClose} width="max-content" position={position} returnFocus={false} {...withoutRoles}>
      <Menu.Target>
        <i className={css.anchor} />
      </Menu.Target>
      <Menu.Dropdown miw={232} maw="calc(100vw - 24px)" aria-label={label} onClick={(event) => event.stopPropagation()}>
        {header && <Menu.Label>{header}</Menu.Label>}
        {plain.map((one, index) => (
          <Fragment key={one.id}>
            {index > 0 && one.group !== plain[index - 1]?.group && <Menu.Divider />}
            {item(one)}
          </Fragment>
        ))}
        {plain.length > 0 && harsh.length > 0 && <Menu.Divider />}
        {harsh.map(item)}
      </Menu.Dropdown>
    </Menu>
  )
}

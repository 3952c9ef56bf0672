import { Menu } from '@mantine/core'
import { Fragment, use, useId } from 'react'
import { Keys } from '../identity/badges.tsx'
import { available, type Command, type MenuPosition } from './command.ts'
import css from './command-menu.module.css'
import { WITHIN } from './within.ts'

/** Number of commands beyond which a menu shows its groups by name, in two columns where there is room. */
const many = 12

// The button has the ARIA attributes, the anchor none. Props that Menu does not know are passed to its Popover.
const withoutRoles = { withRoles: false }

/** Open menu of commands, beside its parent element; `label` is its accessible name. */
export function OpenMenu(props: {
  /** Commands of the menu; only those that may be run now are shown. */
  commands: readonly Command[] | Promise<readonly Command[]>
  position: MenuPosition
  label: string
  onClose: () => void
  header?: string
}) {
  const { position, label, onClose, header } = props
  const commands = available(props.commands instanceof Promise ? use(props.commands) : props.commands)
  const plain = commands.filter((one) => one.tone !== 'neg')
  const groups = [...Map.groupBy(plain, ({ group }) => group)]
  const isLarge = plain.length > many && groups.length > 1
  const id = useId()
  const harsh = commands.filter((one) => one.tone === 'neg')
  const item = (command: Command) => <Item key={command.id} command={command} onClose={onClose} />
  return (
    <Menu
      opened
      onClose={onClose}
      width="max-content"
      position={position}
      middlewares={WITHIN}
      returnFocus={false}
      {...withoutRoles}
    >
      <Menu.Target>
        <i className={css.anchor} />
      </Menu.Target>
      <Menu.Dropdown className={css.within} miw={232} aria-label={label} onClick={(event) => event.stopPropagation()}>
        {header && <Menu.Label>{header}</Menu.Label>}
        {isLarge ? (
          <div className={css.groups}>
            {groups.map(([name, some], index) => (
              <div key={name} role="group" aria-labelledby={`${id}${index}`}>
                <Menu.Label id={`${id}${index}`}>{name}</Menu.Label>
                {some.map(item)}
              </div>
            ))}
          </div>
        ) : (
          groups.map(([name, some], index) => (
            <Fragment key={name ?? ''}>
              {index > 0 && <Menu.Divider />}
              {some.map(item)}
            </Fragment>
          ))
        )}
        {plain.length > 0 && harsh.length > 0 && <Menu.Divider />}
        {harsh.map(item)}
      </Menu.Dropdown>
    </Menu>
  )
}

/** One command of a menu: running it closes the menu, except a switch. */
function Item({ command, onClose }: { command: Command; onClose: () => void }) {
  const { label, icon: Icon, run, tone, shortcut, checked } = command
  return checked === undefined ? (
    <Menu.Item
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
      checked={checked}
      classNames={{ itemIndicator: css.indicator }}
      closeMenuOnClick={false}
      rightSection={<i className={css.switch} data-on={checked || undefined} />}
      onChange={run}
    >
      <span className={css.checkable}>
        {Icon && <Icon size={17} />}
        {label}
      </span>
    </Menu.CheckboxItem>
  )
}

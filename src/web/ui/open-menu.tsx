import { Menu, Switch } from '@mantine/core'
import { Fragment } from 'react'
import { Keys } from './bits.tsx'
import type { Command, MenuPlace } from './command.ts'
import css from './command-menu.module.css'

/** An open menu of commands, standing beside its parent element. */
export function OpenMenu(props: {
  commands: readonly Command[]
  place: MenuPlace
  onClose: () => void
  head?: string
}) {
  const { commands, place, onClose, head } = props
  const plain = commands.filter((one) => one.tone !== 'neg')
  const harsh = commands.filter((one) => one.tone === 'neg')
  const item = ({ id, label, icon: Icon, run, tone, shortcut, checked }: Command) => (
    <Menu.Item
      key={id}
      data-tone={tone}
      role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      aria-checked={checked}
      closeMenuOnClick={false}
      leftSection={Icon && <Icon size={17} />}
      rightSection={
        checked === undefined ? (
          shortcut && <Keys of={shortcut} />
        ) : (
          <Switch checked={checked} readOnly tabIndex={-1} aria-hidden="true" />
        )
      }
      onClick={() => {
        if (checked === undefined) onClose()
        run()
      }}
    >
      {label}
    </Menu.Item>
  )
  return (
    <Menu opened onClose={onClose} width={232} position={place} returnFocus={false}>
      <Menu.Target>
        <i className={css.anchor} />
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {head && <Menu.Label>{head}</Menu.Label>}
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

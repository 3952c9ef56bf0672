import { Menu } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { available, type Command } from '#web/ui/command.ts'
import css from './lazy-menu.module.css'

/** A menu of commands behind one plain button: everything else exists only while it is open, so long lists stay light. */
export function LazyMenu(props: {
  label: string
  className: string | undefined
  commands: () => readonly Command[]
  children: ReactNode
}) {
  const { label, className, commands, children } = props
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const shown = open ? available(commands()) : []
  return (
    <span className={css.place}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={(event) => {
          event.stopPropagation()
          setOpen(true)
        }}
      >
        {children}
      </button>
      {open && (
        <Menu opened onClose={close} width={228} position="bottom-end" returnFocus={false}>
          <Menu.Target>
            <i className={css.anchor} />
          </Menu.Target>
          <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
            {shown.map(({ id, label: name, icon: Icon, run, tone }) => (
              <Menu.Item
                key={id}
                data-tone={tone}
                leftSection={Icon && <Icon size={17} />}
                onClick={() => {
                  close()
                  run()
                }}
              >
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </span>
  )
}

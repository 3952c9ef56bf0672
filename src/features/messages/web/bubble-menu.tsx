import { Menu } from '@mantine/core'
import { useRef, useState } from 'react'
import { t } from '#web/t.ts'
import { available, type Command } from '#web/ui/command.ts'
import { ChevronDownIcon } from '#web/ui/icons.ts'
import css from './bubble.module.css'

/** The menu of a bubble: one button while closed, everything else exists only while it is open. */
export function BubbleMenu({ commands }: { commands: () => readonly Command[] }) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <span className={css.corner}>
      <button
        ref={button}
        type="button"
        className={css.more}
        aria-label={t('Opções da mensagem')}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <ChevronDownIcon size={16} />
      </button>
      {open && (
        <Menu opened onClose={close} width={228} position="bottom-end" returnFocus={false}>
          <Menu.Target>
            <i className={css.anchor} />
          </Menu.Target>
          <Menu.Dropdown>
            {available(commands()).map(({ id, label, icon: Icon, run, tone }) => (
              <Menu.Item key={id} onClick={run} data-tone={tone} leftSection={Icon && <Icon size={17} />}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </span>
  )
}

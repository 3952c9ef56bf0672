import { Popover } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAttention } from '../attention.ts'
import { Counter } from '../ui/bits.tsx'
import { BellIcon } from '../ui/icons.ts'
import css from './bell.module.css'
import rail from './rail.module.css'

/** What waits for the person, by kind; each line opens its place. */
export function Bell() {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const waiting = useAttention().filter((one) => one.inBell)
  const total = waiting.reduce((sum, one) => sum + one.count, 0)
  return (
    <Popover opened={open} onChange={setOpen} width={280} position="right-end">
      <Popover.Target>
        <button type="button" className={rail.tool} onClick={() => setOpen(!open)}>
          <BellIcon size={20} />
          <span className="g-hidden">Avisos</span>
          <span className={rail.badge}>
            <Counter value={total} tone="accent" small label="esperando" />
          </span>
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <p className={css.head}>Esperando por você</p>
        {waiting.length === 0 && <p className={css.none}>Nada agora. Novos atendimentos aparecem aqui.</p>}
        {waiting.map((one) => (
          <button
            key={one.key}
            type="button"
            className={css.row}
            onClick={() => {
              setOpen(false)
              void navigate({ to: one.path })
            }}
          >
            {one.label}
            <Counter value={one.count} />
          </button>
        ))}
      </Popover.Dropdown>
    </Popover>
  )
}

import { Popover } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useAttention } from '../attention.ts'
import { Counter } from '../ui/bits.tsx'
import css from './bell.module.css'

/** The list behind the bell: each line opens its place. */
export function BellPanel({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const waiting = useAttention().filter((one) => one.inBell)
  return (
    <Popover
      opened
      onChange={(opened) => !opened && onClose()}
      width={280}
      position="right-end"
      trapFocus
      withRoles={false}
    >
      <Popover.Target>
        <i className={css.anchor} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" tabIndex={-1} aria-label="Esperando por você">
        <p className={css.head}>Esperando por você</p>
        {waiting.length === 0 && <p className={css.none}>Nada agora. Novos atendimentos aparecem aqui.</p>}
        {waiting.map((one) => (
          <button
            key={one.key}
            type="button"
            className={css.row}
            onClick={() => {
              onClose()
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

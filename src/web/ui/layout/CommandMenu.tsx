import { cloneElement, type MouseEvent, type ReactElement, Suspense, useRef, useState } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '../../t.ts'
import { MoreIcon } from '../icons.ts'
import { IconButton } from '../inputs/IconButton.tsx'
import { available, type Command, type MenuPosition } from './command.ts'
import css from './command-menu.module.css'

const loadMenu = () => import('./OpenMenu.tsx')
const OpenMenu = lazyPart(async () => (await loadMenu()).OpenMenu)

const none: readonly Command[] = []

type Trigger = {
  'aria-label'?: string
  'aria-describedby'?: string
  onClick?: (event: MouseEvent) => void
  onPointerEnter?: () => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
}

const dots = (label: string, size: number): ReactElement<Trigger> => (
  <IconButton aria-label={label} size={size}>
    <MoreIcon size={18} />
  </IconButton>
)

/**
 * Menu of commands behind ⋯ or another button: destructive ones last, after a divider, in red. Only the button exists until
 * it is opened, and the menu's code is loaded with the first pointer, so long lists and first loads stay light.
 */
export function CommandMenu(props: {
  commands?: readonly Command[] | (() => readonly Command[])
  /** Loads the commands, in place of `commands`, where their code comes with the menu's. */
  load?: () => Promise<readonly Command[]>
  label?: string
  target?: ReactElement<Trigger>
  size?: number
  header?: string
  position?: MenuPosition
  /** Id of the element that the menu is about, if the label does not name it. */
  of?: string
}) {
  const {
    commands = none,
    load,
    label = t('Mais ações'),
    target,
    size = 32,
    header,
    position = 'bottom-end',
    of,
  } = props
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLSpanElement>(null)
  const loaded = useRef<Promise<readonly Command[]>>(undefined)
  if (!load && Array.isArray(commands) && available(commands).length === 0) return null
  const close = () => {
    setOpen(false)
    box.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  const trigger = target ?? dots(label, size)
  return (
    <span ref={box} className={css.box}>
      {cloneElement(trigger, {
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        ...(of ? { 'aria-describedby': of } : {}),
        onPointerEnter: () => void loadMenu(),
        onClick: (event: MouseEvent) => {
          event.stopPropagation()
          if (!open) loaded.current = load?.()
          setOpen(!open)
        },
      })}
      {open && (
        <Suspense>
          <OpenMenu
            commands={loaded.current ?? (typeof commands === 'function' ? commands() : commands)}
            position={position}
            label={trigger.props['aria-label'] ?? label}
            onClose={close}
            {...(header ? { header } : {})}
          />
        </Suspense>
      )}
    </span>
  )
}

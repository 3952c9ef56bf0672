import type { ReactNode } from 'react'
import { plural, t } from '../../t.ts'
import { CloseIcon, EnterIcon } from '../icons.ts'
import css from './badges.module.css'
import { colorStyle, squareColor } from './hue.ts'

/** Meaning of a state colour. */
export type Tone = 'pos' | 'warn' | 'neg' | 'info' | 'brand' | 'plain'

/** Label of a state on its soft fill, 22 px high: “Conectado”, “Esperando”, “Falha”. */
export function Pill({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={css.pill} data-tone={tone}>
      {children}
    </span>
  )
}

/** Whether a record of a list is in use, said the same way in every list; `feminine` for “Ativa”. */
export function ActiveState({ isActive, feminine }: { isActive: boolean; feminine?: boolean }) {
  const [active, inactive] = feminine ? [t('Ativa'), t('Inativa')] : [t('Ativo'), t('Inativo')]
  return <Pill tone={isActive ? 'pos' : 'plain'}>{isActive ? active : inactive}</Pill>
}

/** A tag, 20 px high, in the hue of its stored colour; `onRemove` adds a ×. */
export function Tag(props: { name: string; color: string; onRemove?: () => void }) {
  const { name, color, onRemove } = props
  return (
    <span className={css.tag} style={colorStyle(color)}>
      <span className="g-cut">{name}</span>
      {onRemove && (
        <button type="button" aria-label={t('Remover {name}', { name })} onClick={onRemove}>
          <CloseIcon size={11} />
        </button>
      )}
    </span>
  )
}

/** Tags as 8 px squares for dense rows, at most four; the names are read out and shown on hover. */
export function TagDots({ tags }: { tags: readonly { name: string; color: string }[] }) {
  if (tags.length === 0) return null
  const names = tags.map((tag) => tag.name).join(', ')
  return (
    <span className={css.dots} role="img" aria-label={t('Etiquetas: {names}', { names })} title={names}>
      {tags.slice(0, 4).map((tag) => (
        <i key={tag.name} style={{ background: squareColor(tag.color) }} />
      ))}
    </span>
  )
}

/** A coloured square with a name, for stages and kanban columns. */
export function Stage({ name, color }: { name: string; color: string }) {
  return (
    <span className={css.stage}>
      <i style={{ background: squareColor(color) }} />
      <span className="g-cut">{name}</span>
    </span>
  )
}

/**
 * Counter: `brand` unread (18 px), `accent` someone waits (16 px on the rail), `plain` just a number. Zero shows nothing;
 * `unit` is the noun, singular and plural.
 */
export function Counter(props: {
  value: number
  tone?: 'brand' | 'accent' | 'plain'
  small?: boolean
  unit?: readonly [one: string, many: string]
}) {
  const { value, tone = 'brand', small, unit } = props
  if (value <= 0) return null
  return (
    <span className={css.counter} data-tone={tone} data-small={small || undefined}>
      <span aria-hidden={unit ? true : undefined}>{value > 99 ? '99+' : value}</span>
      {unit && <span className="g-hidden">{plural(value, ...unit)}</span>}
    </span>
  )
}

/** Keys of a shortcut: `mod` is Ctrl or ⌘, parts of a sequence are joined by “depois”; `joined` draws one key cap. */
export function Keys({ of, joined }: { of: string; joined?: boolean }) {
  if (joined) {
    return (
      <span className={css.keys}>
        <kbd>{of.split('+').map(keyName).join(' ')}</kbd>
      </span>
    )
  }
  return (
    <span className={css.keys}>
      {of.split(' ').map((part, index) => (
        <span key={`${part}${index}`} className={css.keys}>
          {index > 0 && <span className={css.then}>{t('depois')}</span>}
          {part.split('+').map((key) => (
            // A character that is missing in the interface's font is drawn as an icon.
            <kbd key={key}>{key === '↵' ? <EnterIcon size={13} /> : keyName(key)}</kbd>
          ))}
        </span>
      ))}
    </span>
  )
}

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')
const names: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  up: '↑',
  down: '↓',
  enter: 'Enter',
  shift: 'Shift',
  esc: 'Esc',
  space: t('Espaço'),
}
const keyName = (key: string) => names[key] ?? key.toUpperCase()

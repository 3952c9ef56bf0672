import { Switch, TextInput, type TextInputProps } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import css from './fields.module.css'
import { applyMask, type MaskName } from './mask.ts'

/** Two fields side by side from 600 px on, one below the other on a phone. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className={css.pair}>{children}</div>
}

/** A card of switch rows. */
export function SwitchGroup({ children }: { children: ReactNode }) {
  return <div className={css.group}>{children}</div>
}

/** One switch with its name and one line that says what it does; the whole row is the target. */
export function SwitchRow(props: {
  name: string
  effect?: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}) {
  const { name, effect, checked, onChange, disabled } = props
  const id = useId()
  return (
    <label className={css.row} htmlFor={id}>
      <span>
        {name}
        {effect && <small>{effect}</small>}
      </span>
      <Switch
        id={id}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  )
}

/** A text field with a mask: shows it, and gives the masked text back; strip it with `digits()` for the wire. */
export function MaskedInput({
  mask,
  value,
  onChange,
  ...rest
}: Omit<TextInputProps, 'value' | 'onChange'> & { mask: MaskName; value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      {...rest}
      inputMode={mask === 'cnpj' ? 'text' : 'numeric'}
      value={applyMask(mask, value)}
      onChange={(event) => onChange(applyMask(mask, event.currentTarget.value))}
    />
  )
}

/** A sentence that needs attention inside a form, with one way out. */
export function Notice({
  tone,
  children,
  action,
}: {
  tone: 'warn' | 'neg' | 'info'
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={css.notice} data-tone={tone} role={tone === 'info' ? 'note' : 'alert'}>
      <span>{children}</span>
      {action}
    </div>
  )
}

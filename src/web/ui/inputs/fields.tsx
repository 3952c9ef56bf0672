import { SegmentedControl, Switch, Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { editMasked } from './edit-text.ts'
import css from './fields.module.css'
import { applyMask, filled, type MaskName } from './mask.ts'
import { useCaret } from './use-caret.ts'

/** Two fields side by side from 600 px on, one below the other on a phone. */
export function Pair({ children }: { children: ReactNode }) {
  return <div className={css.pair}>{children}</div>
}

/** Stack of fields, as in a card. */
export function Fields({ children }: { children: ReactNode }) {
  return <div className={css.stack}>{children}</div>
}

/** Choice among a few, all of them visible, below its label; `hint` explains the effect of the choice. */
export function Segments<V extends string>(props: {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange: (value: V) => void
  hint?: string | undefined
}) {
  const { label, value, options, onChange, hint } = props
  return (
    <div>
      <p className={css.label}>{label}</p>
      <SegmentedControl
        fullWidth
        aria-label={label}
        value={value}
        onChange={(chosen) => onChange(chosen)}
        data={[...options]}
      />
      {hint && <p className={css.hint}>{hint}</p>}
    </div>
  )
}

/** A card of switch rows. */
export function SwitchGroup({ children }: { children: ReactNode }) {
  return <div className={css.group}>{children}</div>
}

/** Switch with its name and a line on its effect; the whole row is the target, except a small `tool` in it. */
export function SwitchRow(props: {
  name: string
  effect?: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  tool?: ReactNode
}) {
  const { name, effect, checked, onChange, disabled, tool } = props
  const id = useId()
  const row = (
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
  if (!tool) return row
  return (
    <div className={css.tooled}>
      {tool}
      {row}
    </div>
  )
}

/**
 * Text field with a mask, or with the one that fits the text: shows it, and returns the masked text (`unmasked` converts it
 * for the wire). `fill` shows an underscore for every remaining position while the field has the focus.
 */
export function MaskedInput({
  mask,
  value,
  onChange,
  fill = false,
  ...rest
}: Omit<TextInputProps, 'value' | 'onChange' | 'fill'> & {
  mask: MaskName | ((text: string) => MaskName)
  value: string
  onChange: (value: string) => void
  fill?: boolean
}) {
  const maskOf = typeof mask === 'function' ? mask : () => mask
  const [focused, setFocused] = useState(false)
  const name = maskOf(value)
  const shown = fill && focused ? filled(name, value) : applyMask(name, value)
  const { field, change } = useCaret((edit) => editMasked(maskOf(edit.text), edit), onChange)
  return (
    <TextInput
      {...rest}
      ref={field}
      inputMode={typeof mask === 'function' || mask === 'cnpj' ? 'text' : 'numeric'}
      value={shown}
      onChange={change(shown)}
      onFocus={(event) => {
        setFocused(true)
        rest.onFocus?.(event)
      }}
      onBlur={(event) => {
        setFocused(false)
        rest.onBlur?.(event)
      }}
    />
  )
}

/** Rows of a text area by default: six, or one that grows with its text (specification §9). */
export const TEXT_ROWS = { fixed: 6, growing: 1 } as const

/** A text of several lines; `grow` starts with one row and grows with the text, up to `maxRows` when that is given. */
export function TextArea({ grow = false, ...rest }: TextareaProps & { grow?: boolean }) {
  return grow ? (
    <Textarea autosize minRows={TEXT_ROWS.growing} {...rest} />
  ) : (
    <Textarea rows={TEXT_ROWS.fixed} {...rest} />
  )
}

/** Notice inside of a form, with one action. */
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

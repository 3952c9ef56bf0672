import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { formatMoney } from '../../format.ts'
import { t } from '../../t.ts'
import { FilterPopover } from './FilterPopover.tsx'
import css from './period-filter.module.css'

type Range = { readonly min: string | undefined; readonly max: string | undefined }

/** Filter chip with a minimum and a maximum amount of money; either may be empty. */
export function MoneyFilter(props: Range & { onChange: (range: Range) => void }) {
  const { onChange } = props
  const [min, max] = [amountIn(props.min), amountIn(props.max)]
  const none = { min: undefined, max: undefined }
  return (
    <FilterPopover label={textOf({ min, max })} active={Boolean(min || max)} onClear={() => onChange(none)}>
      {(close) => (
        <div className={css.period}>
          <Bound label={t('De')} value={min} onChange={(next) => onChange({ min: next, max })} onEnter={close} />
          <Bound label={t('Até')} value={max} onChange={(next) => onChange({ min, max: next })} onEnter={close} />
        </div>
      )}
    </FilterPopover>
  )
}

const amountIn = (text: string | undefined): string | undefined =>
  text && Number.isFinite(Number(text)) ? text : undefined

function textOf({ min, max }: Range): string {
  if (min && max) return t('Valor: {min} a {max}', { min: formatMoney(min), max: formatMoney(max) })
  if (min) return t('Valor: a partir de {min}', { min: formatMoney(min) })
  return max ? t('Valor: até {max}', { max: formatMoney(max) }) : t('Valor')
}

function Bound(props: {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  onEnter: () => void
}) {
  const { label, value, onChange, onEnter } = props
  const [text, setText] = useState<string | number>(value ?? '')
  const save = () => onChange(text === '' ? undefined : String(text))
  return (
    <NumberInput
      size="sm"
      label={label}
      prefix="R$ "
      hideControls
      thousandSeparator="."
      decimalSeparator=","
      decimalScale={2}
      min={0}
      value={text}
      onChange={setText}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        save()
        onEnter()
      }}
    />
  )
}

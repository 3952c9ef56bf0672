import { NumberInput } from '@mantine/core'
import type { MoneyField } from '#kit/fields/money.ts'
import type { NumberField } from '#kit/fields/number.ts'
import type { OrderField } from '#kit/fields/order.ts'
import type { PercentField } from '#kit/fields/percent.ts'
import { formatMoney, formatNumber } from '../format.ts'
import { type InputProps, shownOf, type WebKind } from './kind.tsx'

type Look = {
  prefix?: string
  suffix?: string
  min?: number | undefined
  max?: number | undefined
  decimals?: number
  isName?: boolean
}

function Numeric({
  props,
  look,
}: {
  props: InputProps<NumberField | MoneyField | PercentField | OrderField, number | string | null>
  look: Look
}) {
  const { decimals, isName = false, ...rest } = look
  return (
    <NumberInput
      {...shownOf(props)}
      {...rest}
      hideControls
      clampBehavior="none"
      thousandSeparator={isName ? false : '.'}
      decimalSeparator=","
      {...(decimals === undefined ? {} : { decimalScale: decimals, allowDecimal: decimals > 0 })}
      value={props.value ?? ''}
      onChange={(value) => props.onChange(value === '' ? null : value)}
    />
  )
}

const asNumber = (value: number | string | null) => (value === null ? null : Number(value))

/** Input and list cell of a number in Brazilian format: “1.234,5”. */
export const number: WebKind<NumberField, number | null> = {
  Input: ({ onChange, ...props }) => (
    <Numeric
      props={{ ...props, onChange: (value) => onChange(asNumber(value)) }}
      look={{
        min: props.field.min,
        isName: props.field.isName ?? false,
        ...(props.field.whole ? { decimals: 0 } : {}),
      }}
    />
  ),
  Cell: ({ value }) => value !== null && formatNumber(value),
}

/** Input and list cell of an amount in reais, as decimal text. */
export const money: WebKind<MoneyField, string | null> = {
  Input: ({ onChange, ...props }) => (
    <Numeric
      props={{ ...props, onChange: (value) => onChange(value === null ? null : Number(value).toFixed(2)) }}
      look={{ prefix: 'R$ ', min: 0, decimals: 2 }}
    />
  ),
  Cell: ({ value }) => value !== null && formatMoney(value),
}

/** Input and list cell of a percentage. */
export const percent: WebKind<PercentField, number | null> = {
  Input: ({ onChange, ...props }) => (
    <Numeric
      props={{ ...props, onChange: (value) => onChange(asNumber(value)) }}
      look={{ suffix: ' %', min: 0, decimals: 2 }}
    />
  ),
  Cell: ({ value }) => value !== null && `${formatNumber(value)} %`,
}

/** Input and list cell of a row's position; empty: last. */
export const order: WebKind<OrderField, number | null> = {
  Input: ({ onChange, ...props }) => (
    <Numeric props={{ ...props, onChange: (value) => onChange(asNumber(value)) }} look={{ min: 1, decimals: 0 }} />
  ),
  Cell: ({ value }) => value !== null && formatNumber(value),
}

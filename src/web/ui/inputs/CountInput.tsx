import { NumberInput } from '@mantine/core'
import type { ReactNode } from 'react'

/** Input of a required whole number in Brazilian format: “1.000”. */
export function CountInput(props: {
  label: string
  description?: ReactNode
  min?: number
  value: number
  error?: string | undefined
  onChange: (value: number) => void
}) {
  const { min = 1, onChange, ...rest } = props
  return (
    <NumberInput
      {...rest}
      min={min}
      required
      allowDecimal={false}
      hideControls
      thousandSeparator="."
      decimalSeparator=","
      onChange={(value) => onChange(Number(value))}
    />
  )
}

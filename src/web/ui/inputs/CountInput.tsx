import { NumberInput } from '@mantine/core'
import type { ReactNode } from 'react'

/** A whole number that is required, written as people write it here: “1.000”. */
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

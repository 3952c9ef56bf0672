import { Input, NumberInput } from '@mantine/core'
import { t } from '#web/t.ts'
import css from './campaigns.module.css'

/** Fields of the share of recipients of each message; empty if there is only one message. */
export function MessageShares(props: {
  texts: readonly string[]
  weights: readonly number[]
  error: string | undefined
  onChange: (weights: number[]) => void
}) {
  const { texts, weights, error, onChange } = props
  const used = texts.flatMap((text, at) => (text.trim() === '' ? [] : [at]))
  if (used.length < 2) return null
  const total = used.reduce((sum, at) => sum + (weights[at] ?? 0), 0)
  const percent = (at: number) => (total > 0 ? Math.round((100 * (weights[at] ?? 0)) / total) : 0)
  return (
    <Input.Wrapper
      label={t('Divisão entre as mensagens')}
      description={t('Quem responde mais aparece na página da campanha.')}
      error={error}
    >
      <div className={css.shares}>
        {used.map((at) => (
          <NumberInput
            key={at}
            aria-label={t('Parte da mensagem {n}', { n: at + 1 })}
            leftSection={t('{n}ª', { n: at + 1 })}
            rightSection={`${percent(at)}%`}
            rightSectionWidth={52}
            hideControls
            min={0}
            max={100}
            allowDecimal={false}
            value={weights[at] ?? 0}
            onChange={(next) => onChange(weights.map((one, n) => (n === at ? Number(next) : one)))}
          />
        ))}
      </div>
    </Input.Wrapper>
  )
}

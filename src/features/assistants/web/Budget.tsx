import { NumberInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '#features/settings/addresses.ts'
import { mutation } from '#web/client.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { assistants } from '../addresses.ts'
import css from './costs.module.css'
import { money } from './texts.ts'

/** What the month has cost so far, and how much it may. */
export function Budget({ month }: { month: { cost: number; budget: number } }) {
  const [budget, setBudget] = useState<number | string>(month.budget)
  const client = useQueryClient()
  const save = useMutation(
    mutation(settings.set, {
      onSuccess: () => {
        notify({ id: 'budget', tone: 'pos', title: t('Orçamento salvo') })
        void client.invalidateQueries({ queryKey: [assistants.list.family] })
      },
    }),
  )
  const share = month.budget > 0 ? Math.min(100, Math.round((100 * month.cost) / month.budget)) : null
  return (
    <Card title={t('Neste mês: {cost}', { cost: money(month.cost) })}>
      {share !== null && (
        <div
          className={css.meter}
          role="meter"
          aria-label={t('Orçamento usado')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={share}
          data-over={share >= 80 || undefined}
        >
          <i style={{ width: `${share}%` }} />
        </div>
      )}
      <form
        className={css.budget}
        onSubmit={(event) => {
          event.preventDefault()
          const key = 'assistantsBudget'
          save.mutate({ params: { key }, body: { key, value: String(Number(budget) || 0) } })
        }}
      >
        <NumberInput
          label={t('Orçamento do mês')}
          prefix="R$ "
          min={0}
          max={1_000_000}
          allowDecimal={false}
          thousandSeparator="."
          decimalSeparator=","
          value={budget}
          onChange={setBudget}
        />
        <BusyButton type="submit" variant="default" busy={save.isPending} doing={t('Salvando')}>
          {t('Salvar')}
        </BusyButton>
      </form>
      <p className="g-help">{t('Aos 80% esta tela avisa; aos 100% as pessoas atendem. 0 é sem limite.')}</p>
    </Card>
  )
}

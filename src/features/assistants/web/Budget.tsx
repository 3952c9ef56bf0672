import { NumberInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '#features/settings/addresses.ts'
import { mutation } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Meter } from '#web/ui/identity/Meter.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { assistants } from '../addresses.ts'
import css from './costs.module.css'
import { type Month, money } from './texts.ts'

/** Section with the month's cost and its budget. */
export function Budget({ month }: { month: Month }) {
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
  return (
    <Card title={t('Neste mês: {cost}', { cost: money(month.cost) })}>
      {month.most > 0 && (
        <>
          <p className="g-help">
            {t('{answers} de {most} respostas do plano neste mês', {
              answers: formatNumber(month.answers),
              most: formatNumber(month.most),
            })}
          </p>
          <Meter label={t('Respostas do plano usadas')} used={month.answers} most={month.most} />
        </>
      )}
      {month.budget > 0 && <Meter label={t('Orçamento usado')} used={month.cost} most={month.budget} />}
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
      <p className="g-help">
        {t(
          'Aos 80% os administradores são avisados, na tela e por e-mail; aos 100% as pessoas atendem. 0 é sem limite.',
        )}
      </p>
    </Card>
  )
}

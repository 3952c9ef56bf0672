import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BusinessDay, weekProblems } from '#domain/calendar/business-hours.ts'
import { startSettingsLive } from '#features/settings/web/index.ts'
import { sentence } from '#web/api.ts'
import { mutation, query, queryClient } from '#web/client.ts'
import { WeekHours } from '#web/fields/WeekHours.tsx'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { useDraft } from '#web/ui/inputs/use-draft.ts'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { SaveFooter } from '#web/ui/layout/SaveFooter.tsx'
import { hours } from '../addresses.ts'
import { AbsenceMessage } from './AbsenceMessage.tsx'
import { Holidays } from './Holidays.tsx'
import css from './hours.module.css'
import { openingLabel } from './opening.ts'

startSettingsLive('hours')
const everyMs = 60_000

/** Page of the company's business hours: week, absence message, holidays. */
export function Hours() {
  const { data, error, refetch } = useQuery({ ...query(hours.get), refetchInterval: everyMs })
  if (error && !data) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  const company = data?.[0]
  return (
    <Page>
      <PageHeader
        title={t('Horário de Atendimento')}
        facts={t('Da empresa; filas e pessoas podem ter o seu próprio no cadastro')}
        actions={company && <Pill tone={company.isOpen ? 'pos' : 'warn'}>{openingLabel(company, new Date())}</Pill>}
      />
      {!company && <SkeletonRows kind="card" rows={4} />}
      {company && (
        <div className={css.columns}>
          <div className={css.column}>
            <Week saved={company.businessHours} />
            <Holidays saved={company.holidays} />
          </div>
          <div className={css.column}>
            <AbsenceMessage saved={company.messageBusinessHours} />
          </div>
        </div>
      )}
    </Page>
  )
}

function Week({ saved }: { saved: BusinessDay[] }) {
  const draft = useDraft<readonly BusinessDay[]>(saved)
  const [isTried, setTried] = useState(false)
  const problems = weekProblems(draft.value)
  const save = useMutation(
    mutation(hours.setWeek, {
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: ['hours'] })
        draft.discard()
        notify({ tone: 'pos', title: t('Horário salvo') })
      },
    }),
  )
  const submit = () => {
    setTried(problems.length > 0)
    if (problems.length === 0) save.mutate({ body: [...draft.value] })
  }
  return (
    <Card title={t('Semana')}>
      <WeekHours
        value={draft.value}
        onChange={draft.set}
        {...(isTried ? { errors: Object.fromEntries(problems.map(({ day, problem }) => [day, problem])) } : {})}
      />
      <SaveFooter
        isChanged={draft.isChanged}
        busy={save.isPending}
        onSave={submit}
        onDrop={draft.discard}
        problem={
          isTried && problems.length > 0
            ? plural(problems.length, t('dia precisa ser corrigido'), t('dias precisam ser corrigidos'))
            : undefined
        }
      />
    </Card>
  )
}

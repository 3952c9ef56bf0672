import { Modal } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sentence } from '#web/api.ts'
import { pages } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { pipelineActions } from '../action-addresses.ts'
import type { PipelineAction } from '../actions-contract.ts'
import css from './funnel.module.css'
import { STEPS } from './step-labels.ts'

const RESULTS = {
  done: { name: t('Feito'), tone: 'pos' },
  refused: { name: t('Nada foi feito'), tone: 'neg' },
  stopped: { name: t('Parou aqui: três automações seguidas já tinham trazido a oportunidade'), tone: 'warn' },
} as const

/** Log of the funnel's actions, or of one: opportunities and refusals. */
export function ActionLogs({ action, onClose }: { action: PipelineAction | null; onClose: () => void }) {
  const list = useInfiniteQuery({
    ...pages(pipelineActions.logs, {
      params: { tenantId: viewer().tenantId },
      ...(action ? { query: { actionId: action.id } } : {}),
    }),
    staleTime: 0,
  })
  const { data, error, refetch } = list
  const logs = data?.pages.flatMap((page) => page.data)
  return (
    <Modal
      opened
      onClose={onClose}
      size={560}
      title={action ? t('Logs de “{name}”', { name: action.name }) : t('Logs')}
    >
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={4} />}
      {logs?.length === 0 && (
        <p className={css.note}>{t('Ainda não agiu nenhuma vez. Aqui fica cada vez que agir, com o que fez.')}</p>
      )}
      <ul className={css.history} aria-label={t('Logs')}>
        {logs?.map((log) => (
          <li key={log.id}>
            <span className={css.alerts}>
              <Link to="/funil/kanban" search={{ busca: log.opportunityName, status: 'todos' }}>
                {log.opportunityName}
              </Link>
              <Pill tone={RESULTS[log.result].tone}>{RESULTS[log.result].name}</Pill>
            </span>
            <small>{[log.actionName, log.contactName, formatDateTime(log.date)].filter(Boolean).join(' · ')}</small>
            {log.steps.map(({ step, refusal }, index) => (
              <small key={index}>
                {STEPS[step.type]}
                {refusal && ` – ${refusal}`}
              </small>
            ))}
          </li>
        ))}
      </ul>
      <MoreButton list={list} />
    </Modal>
  )
}

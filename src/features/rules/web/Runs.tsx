import { Modal } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { labelOf } from '#web/actions/labels.ts'
import { sentence } from '#web/api.ts'
import { pages } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { rules } from '../addresses.ts'
import type { Rule, RuleRun } from '../contract.ts'
import { DecidedList } from './DecidedList.tsx'
import css from './rules.module.css'

const OUTCOMES: Readonly<Record<RuleRun['outcome'], string>> = {
  done: t('Feito'),
  same: t('Já estava assim'),
  refused: t('Nada foi feito'),
  stopped: t('Parou aqui: automações já tinham agido três vezes seguidas'),
}

/** Dialog with a rule's runs: time, conditions and actions. */
export function Runs({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const list = useInfiniteQuery({
    ...pages(rules.runs, { params: { id: rule.id } }),
    staleTime: 0,
  })
  const { data, error, refetch } = list
  const items = data?.pages.flatMap((page) => page.items)
  return (
    <Modal opened onClose={onClose} size={560} title={t('Histórico de “{name}”', { name: rule.name })}>
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={4} />}
      {items?.length === 0 && (
        <p className={css.hint}>{t('Ainda não valeu nenhuma vez. Aqui fica cada vez que valer, com o que fez.')}</p>
      )}
      <ol className={css.events} aria-label={t('Histórico')}>
        {items?.map((run) => (
          <li key={run.id} data-matches="true">
            <p>
              {run.ticketId === null ? (
                <span className={css.hint}>{t('Atendimento fora do seu alcance')}</span>
              ) : (
                <a href={`/atendimento/${run.ticketId}`}>
                  {run.contactName} · #{run.ticketId}
                </a>
              )}
              <time>{formatDateTime(run.at)}</time>
            </p>
            <p data-outcome={run.outcome}>{OUTCOMES[run.outcome]}</p>
            <DecidedList decided={run.conditions} />
            {run.steps.length > 0 && (
              <ul>
                {run.steps.map((step, nth) => (
                  <li key={nth} data-wrong={step.refusal !== null}>
                    {labelOf(step)}
                    {step.refusal && <em>{step.refusal}</em>}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
      <MoreButton list={list} />
    </Modal>
  )
}

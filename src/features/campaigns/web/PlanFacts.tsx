import { formatDateTime, formatMoney, formatNumber } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { Notice } from '#web/ui/inputs/fields.tsx'
import type { CampaignPlan } from '../contract.ts'
import css from './campaigns.module.css'

/** Forecast of a dispatch: recipients, skipped ones, end, cost, risk; `start` if it is not sent at once. */
export function PlanFacts({ plan, start }: { plan: CampaignPlan; start?: string }) {
  const { reached, left, firstContacts, endsAt, parts, cost, level, reasons, delay, unknownVariables, emptyVariables } =
    plan
  const pairs: readonly (readonly [string, string])[] = [
    [t('Recebem'), formatNumber(reached)],
    [t('Primeiro contato'), formatNumber(firstContacts)],
    ...(start === undefined ? [] : [[t('Início'), formatDateTime(start)] as const]),
    [t('Término previsto'), endsAt ? formatDateTime(endsAt) : '—'],
    ...(parts === null ? [] : [[t('SMS cobrados'), formatNumber(parts)] as const]),
    ...(cost === null ? [] : [[t('Custo previsto'), formatMoney(cost)] as const]),
  ]
  return (
    <>
      <dl className={css.pairs}>
        {[...pairs, ...left.map(({ text, count }) => [text, formatNumber(count)] as const)].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {level === 'good' && unknownVariables.length === 0 && (
        <Notice tone="info">{t('Risco baixo de bloqueio. Quem responder abre um atendimento.')}</Notice>
      )}
      {reasons.length > 0 && (
        <Notice tone={level === 'stop' ? 'neg' : 'warn'}>
          {reasons.join(' ')}
          {delay !== null && ` ${t('Com intervalo de {delay} segundos, pode sair.', { delay })}`}
        </Notice>
      )}
      {unknownVariables.length > 0 && (
        <Notice tone="neg">
          {t('Estas variáveis não existem: {names}.', {
            names: unknownVariables.map((one) => `{{${one}}}`).join(', '),
          })}
        </Notice>
      )}
      {emptyVariables.map(({ name, count }) => (
        <Notice key={name} tone="warn">
          {t('{count} sem valor para {name}: o lugar fica vazio.', {
            count: plural(count, t('contato'), t('contatos')),
            name: `{{${name}}}`,
          })}
        </Notice>
      ))}
    </>
  )
}

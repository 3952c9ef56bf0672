import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import type { AuditRow } from '../contract.ts'
import css from './audit.module.css'
import { fieldText, methodText, profileText, targetText, valueText, whoText } from './labels.ts'

/** Drawer with all data of one record, each field before and after. */
export function RecordDrawer({ record, onClose }: { record: AuditRow; onClose: () => void }) {
  const { changes } = record
  const facts: [string, ReactNode][] = [
    [t('Resultado'), <Outcome key="outcome" record={record} />],
    [t('Motivo'), record.refusal],
    [t('Quem'), whoText(record)],
    [t('Perfil'), profileText(record.profile)],
    [t('Suporte'), record.isSupport ? t('Sim') : null],
    [t('Entrou com'), methodText(record.method)],
    [t('Quando'), formatDateTime(record.at)],
    [t('Em quê'), targetText(record.target)],
    [t('Endereço'), record.ip],
    [t('Programa'), record.userAgent],
    [t('Ação'), record.action],
    [t('Pedido'), record.requestId],
    [t('Registro'), record.seq],
  ]
  return (
    <Drawer opened onClose={onClose} size={500} padding={24} title={record.summary} position="right">
      <dl className={css.facts}>
        {facts
          .filter(([, value]) => value !== null && value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {Object.keys(changes).length > 0 && (
        <section className={css.changes}>
          <h3>{t('O que mudou')}</h3>
          <ul>
            {Object.entries(changes).map(([field, change]) => (
              <li key={field}>
                <b>{fieldText(field)}</b>
                {'before' in change || 'after' in change ? (
                  <span>
                    {'before' in change && <del>{valueText(change.before)}</del>}
                    {'after' in change && <ins>{valueText(change.after)}</ins>}
                  </span>
                ) : (
                  <small>{t('valor não guardado')}</small>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Drawer>
  )
}

/** Whether it was done or refused. */
export const Outcome = ({ record }: { record: Pick<AuditRow, 'result'> }) =>
  record.result === 'ok' ? <Pill tone="pos">{t('Feito')}</Pill> : <Pill tone="neg">{t('Recusado')}</Pill>

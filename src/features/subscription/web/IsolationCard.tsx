import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { isolation } from '#features/isolation/addresses.ts'
import type { IsolationResult } from '#features/isolation/contract.ts'
import { notifyError } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { plural, t } from '#web/t.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import css from './subscription.module.css'

/** Card of the isolation check: the last result, and a button that runs the read-only check now. */
export function IsolationCard() {
  const { data } = useQuery(query(isolation.last))
  const run = useMutation({
    mutationFn: () => call(isolation.run, {}, { long: true, quiet: true }),
    onError: notifyError,
  })
  if (!data) return null
  return (
    <Card title={t('Isolamento entre empresas')} actions={data.last && <Verdict {...data.last} />}>
      {data.last ? (
        <Last {...data.last} />
      ) : (
        <p className={css.hint}>{t('Ainda não foi posto à prova nesta instalação.')}</p>
      )}
      <div className={css.footer}>
        <Button variant="default" loading={run.isPending} onClick={() => run.mutate()}>
          {t('Atacar agora')}
        </Button>
        <span className={css.hint}>{t('Só leituras, por até 20 segundos.')}</span>
      </div>
    </Card>
  )
}

function Verdict({ probes, leaks }: IsolationResult) {
  if (leaks.length > 0) return <Pill tone="neg">{plural(leaks.length, 'vazamento', 'vazamentos')}</Pill>
  return probes > 0 ? <Pill tone="pos">{t('Nada vazou')}</Pill> : <Pill>{t('Só há uma empresa')}</Pill>
}

function Last({ at, by, companies, tables, operations, probes, isComplete, leaks }: IsolationResult) {
  return (
    <>
      <dl className={css.pairs}>
        <dt>{t('Último ataque')}</dt>
        <dd>{t('{at}, por {by}', { at: formatDateTime(at), by })}</dd>
        <dt>{t('Alvos')}</dt>
        <dd>
          {plural(companies, 'empresa', 'empresas')}, {plural(tables, 'tabela', 'tabelas')},{' '}
          {plural(operations, 'operação', 'operações')}
        </dd>
        <dt>{t('Tentativas')}</dt>
        <dd>
          {formatNumber(probes)}
          {!isComplete && t(', até acabar o tempo')}
        </dd>
      </dl>
      {leaks.length > 0 && (
        <ul className={css.leaks}>
          {leaks.map((leak) => (
            <li key={leak}>{leak}</li>
          ))}
        </ul>
      )}
    </>
  )
}

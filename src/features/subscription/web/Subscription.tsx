import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { MasterKeyCard } from '#features/auth/web/index.ts'
import { FirstSteps } from '#features/guide/web/index.ts'
import type { Answer } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { formatSpan, formatTime } from '#web/format.ts'
import { readPreferences } from '#web/preferences.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { PositiveIcon, WarningIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Usage } from '#web/ui/identity/Usage.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { subscription } from '../addresses.ts'
import { IsolationCard } from './IsolationCard.tsx'
import css from './subscription.module.css'

const everyMs = 30_000

/** Page of the company's plan and the installation's state, refreshed every 30 s. */
export function Subscription() {
  const { data, error, dataUpdatedAt, refetch } = useQuery({ ...query(subscription.version), refetchInterval: everyMs })
  if (error && !data) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  const failing = data?.checks.filter((check) => !check.ok).length ?? 0
  return (
    <Page>
      <PageHeader
        title={t('Assinatura')}
        facts={
          data &&
          t('{tenantName} · conferido às {dataUpdatedAt}', {
            tenantName: data.tenantName,
            dataUpdatedAt: formatTime(dataUpdatedAt),
          })
        }
        actions={
          data && (
            <Pill tone={failing === 0 ? 'pos' : 'warn'}>
              {failing === 0
                ? t('Tudo em ordem')
                : failing === 1
                  ? t('1 parte pede atenção')
                  : t('{failing} partes pedem atenção', { failing })}
            </Pill>
          )
        }
      />
      <Suspense>{viewer().profile === 'superadmin' && !readPreferences().hidesFirstSteps && <FirstSteps />}</Suspense>
      {!data && <SkeletonRows kind="card" rows={4} />}
      {data && (
        <div className={css.grid}>
          {data.checks.map((check) => (
            <div key={check.name} className={css.check} data-ok={check.ok || undefined}>
              {check.ok ? <PositiveIcon size={20} /> : <WarningIcon size={20} />}
              <div>
                <h2>{check.name}</h2>
                <p>{check.detail}</p>
              </div>
            </div>
          ))}
          <Limits limits={data.limits} />
          <Installed data={data} />
          {viewer().profile === 'superadmin' && <MasterKeyCard />}
          {viewer().profile === 'superadmin' && <IsolationCard />}
        </div>
      )}
    </Page>
  )
}

type Version = Answer<typeof subscription.version>

function Limits({ limits }: { limits: Version['limits'] }) {
  return (
    <Card title={t('Limites do plano')}>
      <dl className={css.pairs}>
        <dt>{t('Usuários')}</dt>
        <dd>
          <Usage used={limits.users} limit={limits.maxUsers} />
        </dd>
        <dt>{t('Canais')}</dt>
        <dd>
          <Usage used={limits.connections} limit={limits.maxConnections} />
        </dd>
        {limits.maxAssistantAnswers > 0 && (
          <>
            <dt>{t('Respostas de IA no mês')}</dt>
            <dd>
              <Usage used={limits.assistantAnswers} limit={limits.maxAssistantAnswers} />
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}

function Installed({ data }: { data: Version }) {
  return (
    <Card title={t('Versão instalada')}>
      <dl className={css.pairs}>
        <dt>Guichê</dt>
        <dd>{data.version}</dd>
        <dt>{t('Banco de dados')}</dt>
        <dd>{t('PostgreSQL {database}', { database: data.database })}</dd>
        <dt>Node.js</dt>
        <dd>{data.node.replace(/^v/, '')}</dd>
        <dt>{t('No ar há')}</dt>
        <dd>{formatSpan(data.uptimeSeconds * 1000).replace(t('agora'), t('menos de 1 min'))}</dd>
      </dl>
    </Card>
  )
}

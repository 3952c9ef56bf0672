import { useQuery } from '@tanstack/react-query'
import type { Answer } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { operation } from '../addresses.ts'
import css from './operation.module.css'
import { Pairs } from './Pairs.tsx'

/** Page of the version: the running one, one waiting for a restart, applied migrations, changes. */
export function Update() {
  const { data, error, refetch } = useQuery(query(operation.update))
  if (error) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  if (!data)
    return (
      <Page>
        <PageHeader title={t('Versão e atualização')} />
        <SkeletonRows kind="card" rows={3} />
      </Page>
    )
  const { version, onDisk, node, startedAt, migrations, changes } = data
  const waits = onDisk !== version || migrations.waiting.length > 0
  return (
    <Page>
      <PageHeader
        title={t('Versão e atualização')}
        facts={t('Guichê {version}, no ar desde {when}', { version, when: formatDateTime(startedAt) })}
        actions={waits ? <Pill tone="warn">{t('Espera reinício')}</Pill> : <Pill tone="pos">{t('Em dia')}</Pill>}
      />
      <div className={css.column}>
        {waits && (
          <Notice tone="warn">
            {t('Há arquivos mais novos neste servidor (versão {onDisk}). Reinicie para que comecem a valer.', {
              onDisk,
            })}
          </Notice>
        )}
        <Card title={t('O que está instalado')}>
          <Pairs
            rows={[
              { key: t('Versão em uso'), value: version },
              { key: t('Versão dos arquivos'), value: onDisk },
              { key: 'Node.js', value: node },
              { key: t('Migrações do banco'), value: String(migrations.count) },
              ...migrations.waiting.map((name) => ({ key: t('Migração à espera'), value: name })),
            ]}
          />
        </Card>
        <Steps />
        <News changes={changes} />
        <Card title={t('Últimas migrações do banco')}>
          <Pairs rows={migrations.last.map(({ name, at }) => ({ key: name, value: formatDateTime(at) }))} />
        </Card>
      </div>
    </Page>
  )
}

function Steps() {
  return (
    <Card title={t('Como atualizar')}>
      <ol className={css.changes}>
        <li>{t('Faça um backup: npm run backup -- --out PASTA. Ele pode ser feito com o produto no ar.')}</li>
        <li>{t('Troque os arquivos pelos da versão nova e reinicie com npm start.')}</li>
        <li>
          {t('As migrações rodam no início, cada uma inteira ou nada; se uma não puder rodar, o início diz por quê.')}
        </li>
      </ol>
    </Card>
  )
}

function News({ changes }: { changes: Answer<typeof operation.update>['changes'] }) {
  return (
    <Card title={t('Novidades')}>
      {changes.length === 0 && <p className="g-help">{t('Esta versão não traz uma lista de novidades.')}</p>}
      {changes.map(({ version: of, texts }) => (
        <section key={of}>
          <h3 className={css.version}>{of}</h3>
          <ul className={css.changes}>
            {texts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      ))}
    </Card>
  )
}

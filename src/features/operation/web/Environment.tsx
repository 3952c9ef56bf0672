import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { folded } from '#web/fold.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { SearchIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { operation } from '../addresses.ts'
import { Pairs } from './Pairs.tsx'

/** Page of the server's environment variables and packages; secrets are masked by the server. */
export function Environment() {
  const environment = useQuery(query(operation.environment))
  const manifest = useQuery(query(operation.manifest))
  const [search, setSearch] = useState('')
  const error = environment.error ?? manifest.error
  if (error) return <LoadError text={sentence(error)} retry={() => void environment.refetch()} />
  const isWanted = ({ key, value }: { key: string; value: string }) =>
    folded(`${key} ${value}`).includes(folded(search))
  const found = environment.data?.filter(isWanted) ?? []
  const packages = [...(manifest.data?.about ?? []), ...(manifest.data?.dependencies ?? [])].filter(isWanted)
  return (
    <Page>
      <PageHeader
        title={t('Ambiente e pacotes')}
        facts={t('Como este servidor foi iniciado. Segredos não são mostrados.')}
      />
      <TextInput
        aria-label={t('Buscar por nome ou valor')}
        placeholder={t('Nome ou valor')}
        leftSection={<SearchIcon size={17} />}
        mb={16}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {!environment.data || !manifest.data ? (
        <SkeletonRows kind="card" rows={4} />
      ) : (
        <>
          <Card title={t('Variáveis de Ambiente')}>
            <Pairs
              rows={found.map(({ key, value, isDefault, isSecret }) => ({
                key,
                value: value || t('(sem valor)'),
                mark: isSecret ? (
                  <Pill tone="warn">{t('segredo')}</Pill>
                ) : (
                  !isDefault && <Pill tone="info">{t('definida')}</Pill>
                ),
              }))}
            />
          </Card>
          <Card title={t('Dados do Package JSON')}>
            <Pairs rows={packages} />
          </Card>
        </>
      )}
    </Page>
  )
}

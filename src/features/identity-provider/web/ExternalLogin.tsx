import { useQuery } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { identityProvider } from '../addresses.ts'
import { ProviderForm } from './ProviderForm.tsx'

/** Page of the installation's external login provider. */
export function ExternalLogin() {
  const { data, error, refetch } = useQuery(query(identityProvider.get))
  if (error && !data) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  return (
    <Page>
      <PageHeader
        title={t('Login externo')}
        facts={t('Entrar com a conta do Google ou de outro provedor OpenID Connect')}
        actions={data && <Pill tone={data.isOn ? 'pos' : 'plain'}>{data.isOn ? t('Ligado') : t('Desligado')}</Pill>}
      />
      {data ? <ProviderForm settings={data} /> : <SkeletonRows kind="card" rows={3} />}
    </Page>
  )
}

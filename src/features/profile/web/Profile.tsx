import { useQuery } from '@tanstack/react-query'
import { DevicesSection, SocketLogSection } from '#features/devices/web/index.ts'
import { PasskeysSection, SecondFactorSection } from '#features/second-factor/web/index.ts'
import { users } from '#features/users/addresses.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { useMay } from '#web/session/permissions.ts'
import { roleNames } from '#web/session/roles.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { OwnAlerts } from './OwnAlerts.tsx'
import { OwnData } from './OwnData.tsx'
import { OwnEmail } from './OwnEmail.tsx'
import { OwnPassword } from './OwnPassword.tsx'
import { OwnPreferences } from './OwnPreferences.tsx'
import css from './profile.module.css'

/** Page of the user's own account: data, login, preferences, devices. */
export function Profile() {
  const isManager = useMay()('users:write')
  const own = useQuery(query(users.get, { params: { id: viewer().userId } }))
  return (
    <Page>
      <PageHeader title={t('Meu perfil')} facts={own.data && `${roleNames[own.data.profile]} · ${own.data.email}`} />
      {own.isPending && <SkeletonRows kind="card" rows={3} />}
      {own.isError && <LoadError text={sentence(own.error)} retry={() => void own.refetch()} />}
      {own.data && (
        <div className={css.columns}>
          <div>
            <OwnData person={own.data} />
            <OwnPreferences name={own.data.name} />
            <OwnAlerts />
            {isManager && <OwnEmail waiting={own.data.newEmail ?? null} />}
            <OwnPassword />
          </div>
          <div>
            <SecondFactorSection />
            <PasskeysSection />
            <DevicesSection />
            <SocketLogSection />
          </div>
        </div>
      )}
    </Page>
  )
}

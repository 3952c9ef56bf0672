import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { settingsEvents } from '#features/settings/addresses.ts'
import { userEvents } from '#features/users/addresses.ts'
import { can, type Permission } from '#kit/permissions.ts'
import { access } from '../addresses.ts'
import '#web/registries.ts'
import { sentence } from '#web/api.ts'
import { query, queryClient } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { roleNames } from '#web/session/roles.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { ChevronRightIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { useUrlState } from '#web/url-state.ts'
import type { UserAccess } from '../contract.ts'
import css from './access.module.css'
import { refusals } from './labels.ts'
import { Screens } from './Screens.tsx'
import { Tickets } from './Tickets.tsx'
import { UserChoice } from './UserChoice.tsx'

/** Page with the permissions of a chosen user, and the reasons for denials. */
export function Access() {
  const [url, setUrl] = useUrlState()
  const id = Number(url.id) || null
  const { data, error, refetch } = useQuery({ ...query(access.get, { params: { id: id ?? 0 } }), enabled: id !== null })
  useEffect(watchAccess, [])
  return (
    <Page>
      <PageHeader title={t('Acessos')} facts={t('O que cada pessoa pode ver e fazer agora, e por que não')} />
      <FilterRow right={data && <Marks about={data} />}>
        <UserChoice chosen={data?.user ?? null} onChoose={(next) => setUrl({ id: next ?? undefined })} />
      </FilterRow>
      {id === null && (
        <EmptyState
          title={t('Escolha uma pessoa')}
          text={t('As telas, as permissões e os atendimentos que ela alcança aparecem aqui.')}
        />
      )}
      {id !== null && error && !data && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {id !== null && !error && !data && <SkeletonRows kind="card" rows={3} />}
      {id !== null && data && (
        <div className={css.grid}>
          <Card title={t('Telas')}>
            <Screens about={data} />
          </Card>
          <Card title={t('Atendimentos')}>
            <Tickets about={data} />
          </Card>
          <div className={css.whole}>
            <Card title={t('Permissões')}>
              <Permissions about={data} />
            </Card>
          </div>
        </div>
      )}
    </Page>
  )
}

// Refetches after a change of a user or of the company's settings.
function watchAccess(): () => void {
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['access'] })
  const offs = [on(userEvents.changed, refresh), on(settingsEvents.changed, refresh)]
  return () => {
    for (const off of offs) off()
  }
}

/** Section with the role and flags that decide. */
function Marks({ about: { person, queues } }: { about: UserAccess }) {
  const { profile, isSupport, restrictedUser, supervisorsLimited } = person
  return (
    <span className={css.marks}>
      <Pill tone="brand">{roleNames[profile]}</Pill>
      {isSupport && <Pill tone="info">{t('Suporte')}</Pill>}
      {restrictedUser && <Pill tone="warn">{t('Usuário Restrito')}</Pill>}
      {profile === 'super' && supervisorsLimited && !isSupport && <Pill tone="warn">{t('Supervisor limitado')}</Pill>}
      <span className={css.queues}>
        {queues.length === 0 ? t('Sem filas') : queues.map(({ queue }) => queue).join(', ')}
      </span>
    </span>
  )
}

// Permissions of the superadmin alone are not shown for other users.
const ofCompany = ({ permissions }: UserAccess) =>
  permissions.filter(({ permission, refusal }) => !refusal || can({ profile: 'admin' }, permission as Permission))

function Permissions({ about }: { about: UserAccess }) {
  return (
    <ul className={css.list}>
      {ofCompany(about).map(({ permission, allows, refusal, operations }) => (
        <li key={permission}>
          <details>
            <summary>
              <ChevronRightIcon size={16} />
              <span className={css.what}>
                {allows}
                <code>{permission}</code>
              </span>
              <Verdict refusal={refusal} />
            </summary>
            {operations.length === 0 && <p className={css.none}>{t('Vale dentro de outras operações.')}</p>}
            {operations.map(({ method, path, summary }) => (
              <p key={`${method} ${path}`} className={css.operation}>
                <code>{`${method} ${path}`}</code>
                <span>{summary}</span>
              </p>
            ))}
          </details>
        </li>
      ))}
    </ul>
  )
}

/** Renders whether a permission is granted, or the reason for its denial. */
function Verdict({ refusal }: { refusal: UserAccess['permissions'][number]['refusal'] }) {
  if (refusal === null) return <Pill tone="pos">{t('Pode')}</Pill>
  return (
    <span className={css.verdict}>
      <span>{refusals[refusal]}</span>
      <Pill>{t('Não pode')}</Pill>
    </span>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import { useChoices } from '#web/choices.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { roleNames } from '#web/session/roles.ts'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import { useColumns } from '#web/ui/table/column-chooser.tsx'
import { type SetUrl, type Url, useUrlState } from '#web/url-state.ts'
import { userEvents, users } from '../addresses.ts'
import { isAbove } from './acts.ts'
import { userColumns, usersFile } from './columns.tsx'
import { userCommands } from './commands.ts'
import { type Section, sections } from './form-values.ts'
import { type Invitation, useInvitation } from './invite-link.tsx'
import { UserForm } from './UserForm.tsx'

const roles = PROFILES.map((id) => ({ id, name: roleNames[id] }))
const states = [
  { id: 'active', name: t('Ativos') },
  { id: 'inactive', name: t('Inativos') },
] as const
type State = (typeof states)[number]['id']

/** Page with the company's users: search and filters in the URL, column choice, edit drawer, CSV export. */
export function Users() {
  const [url, setUrl] = useUrlState()
  const navigate = useNavigate()
  const { invited, link } = useInvitation()
  const filter = useUserFilter(url)
  const list = useList(users.list, (page) => page.users, filter, [userEvents.changed, userEvents.online])
  const plan = list.first?.plan
  const isFull = plan ? plan.used >= plan.max : false
  const { columns, chooser } = useColumns('usuarios', userColumns)
  const open = (id: number | string, secao?: Section) => setUrl({ id, secao })
  return (
    <ListScreen
      title={t('Usuários')}
      nouns={[t('usuário'), t('usuários')]}
      facts={
        plan && t('{used} de {count} do plano', { used: plan.used, count: plural(plan.max, 'usuário', 'usuários') })
      }
      list={list}
      search={t('Nome, e-mail ou telefone')}
      filters={<UserFilters filter={filter} setUrl={setUrl} />}
      filterNames={['perfil', 'fila', 'situacao']}
      view={chooser}
      empty={{ title: t('Ninguém'), text: t('Quem trabalha na empresa aparece aqui.') }}
      file={usersFile}
      add={{
        label: t('Novo usuário'),
        first: t('Cadastrar o primeiro'),
        run: () => open('novo'),
        refusal: isFull
          ? t('O plano comporta {count}.', { count: plural(plan?.max ?? 0, 'usuário ativo', 'usuários ativos') })
          : undefined,
      }}
      table={{
        columns,
        rowKey: (row) => row.id,
        tall: true,
        onOpen: (row) =>
          isAbove(row)
            ? notify({ id: 'above', tone: 'info', title: t('Só um superadministrador muda este usuário.') })
            : open(row.id),
        commands: (row) =>
          userCommands(row, {
            open: (section) => open(row.id, section),
            access: () => void navigate({ to: '/usuarios/acessos', search: { id: row.id } as never }),
            onInvited: invited,
          }),
      }}
    >
      <OpenUser url={url} setUrl={setUrl} invited={invited} />
      {link}
    </ListScreen>
  )
}

/** The form of the user that the address names. */
function OpenUser(props: { url: Url; setUrl: SetUrl; invited: (invitation: Invitation) => void }) {
  const { url, setUrl, invited } = props
  return (
    url.id && (
      <UserForm
        key={url.id}
        id={url.id}
        section={sections.find(({ key }) => key === url.secao)?.key ?? 'dados'}
        onSection={(secao) => setUrl({ secao })}
        onInvited={invited}
        onClose={() => setUrl({ id: undefined, secao: undefined })}
      />
    )
  )
}

function useUserFilter(url: Url) {
  return useMemo(
    () => ({
      searchParam: url.busca,
      profile: url.perfil ? (url.perfil.split(',') as Profile[]) : [],
      queueId: Number(url.fila) || undefined,
      status: (states.some(({ id }) => id === url.situacao) ? url.situacao : 'all') as State | 'all',
    }),
    [url.busca, url.perfil, url.fila, url.situacao],
  )
}

function UserFilters({ filter, setUrl }: { filter: ReturnType<typeof useUserFilter>; setUrl: SetUrl }) {
  const queues = useChoices('queues')
  return (
    <>
      <ChoiceFilter
        label={t('Perfil')}
        options={roles}
        chosen={filter.profile}
        onChange={(ids) => setUrl({ perfil: ids.join(',') })}
      />
      <ChoiceFilter
        label={t('Fila')}
        options={queues}
        chosen={filter.queueId ? [filter.queueId] : []}
        onChange={(ids) => setUrl({ fila: ids.at(-1) })}
      />
      <ChoiceFilter
        label={t('Situação')}
        options={states}
        chosen={filter.status === 'all' ? [] : [filter.status]}
        onChange={(ids) => setUrl({ situacao: ids.at(-1) })}
      />
    </>
  )
}

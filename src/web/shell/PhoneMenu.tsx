import { Drawer } from '@mantine/core'
import { t } from '../t.ts'
import { SearchIcon } from '../ui/icons.ts'
import { Bell } from './Bell.tsx'
import { calling } from './calling.ts'
import { Profile } from './Profile.tsx'
import css from './phone-bar.module.css'
import rail from './rail.module.css'
import { MenuList } from './rail.tsx'

/** Whole menu on a phone, with profile, search and bell on top. */
export function PhoneMenu(props: { opened: boolean; onClose: () => void; onSearch: () => void }) {
  const { opened, onClose, onSearch } = props
  const phone = calling.use()
  return (
    <Drawer opened={opened} onClose={onClose} size="100%" title={t('Menu')} position="right">
      <div className={css.tools}>
        <span className={css.person}>
          <Profile wide />
        </span>
        <button
          type="button"
          className={css.search}
          onClick={() => {
            onClose()
            onSearch()
          }}
          aria-label={t('Buscar ou executar')}
        >
          <SearchIcon size={20} />
        </button>
        {phone && <phone.Button onOpen={onClose} />}
        <Bell />
      </div>
      <div className={rail.sheet}>
        <MenuList wide size={21} onOpen={onClose} />
      </div>
    </Drawer>
  )
}

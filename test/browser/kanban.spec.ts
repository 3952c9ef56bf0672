import { expect, type Locator, type Page } from '@playwright/test'
import { violations } from './pages/axe.ts'
import { sitDown } from './pages/person.ts'
import { company, test } from './pages/product.ts'

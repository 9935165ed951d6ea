export {
  type Database,
  openDatabase,
  openForeignDatabase,
  type SqlValue,
  type Statement,
} from './open-database.ts';

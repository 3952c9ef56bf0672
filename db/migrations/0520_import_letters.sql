-- How the letters of an imported text file are read, where that is not certain (Letters of the importer).
alter table contact_imports add column letters jsonb;

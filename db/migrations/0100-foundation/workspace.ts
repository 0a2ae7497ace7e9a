/** What belongs to the deployment, and a workspace with its members, their tokens, and what it sells and who writes for it. */
export const workspace = `
create table settings (
  name text primary key,
  value jsonb not null);

-- How far the rows that a migration found have been filled in: the key of the last one.
create table backfills (
  migration text primary key,
  after text not null default '',
  ended_at timestamptz(3));

create table workspaces (
  -- It stands before a colon in the ids of operations and workflows, which are limited to 255 bytes.
  id text primary key check (length(id) <= 64 and position(':' in id) = 0),
  name text not null,
  timezone text not null,
  region text,
  tagging boolean not null default false,
  house_rules text not null default '',
  house_updated_at timestamptz(3) not null,
  billing jsonb);

create table members (
  id text primary key,
  workspace text not null references workspaces,
  name text not null,
  email text not null,
  job_title text not null default '',
  zone text not null default '',
  signature text not null default '');

create table tokens (
  id text primary key,
  hash bytea not null unique,
  workspace text not null references workspaces,
  member text not null references members,
  client_id text not null,
  client_name text not null,
  scopes text[] not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  last_used_at timestamptz(3));

create table products (
  id text primary key,
  workspace text not null references workspaces,
  name text not null,
  description text not null default '',
  side text not null default 'sell',
  goal text not null default 'demo',
  conditions jsonb not null default '[]',
  markets text[] not null default '{}');

create table companies (
  id text primary key,
  workspace text not null references workspaces,
  name text not null,
  pitch text not null default '',
  policy text not null default '',
  facts jsonb not null default '[]',
  markets text[] not null default '{}');

create table agents (
  id text primary key,
  workspace text not null references workspaces,
  name text not null,
  company text references companies,
  goal text not null default '',
  rules text not null default '',
  knowledge text not null default '',
  enabled boolean not null default true,
  labels text[] not null default '{}',
  channels text[] not null default '{}',
  hours jsonb not null);
`

data "keyplane_groups" "all" {}

output "group_names" {
  value = keys(data.keyplane_groups.all.groups)
}

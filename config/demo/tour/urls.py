"""The addresses of the tour; config/urls.py includes them under DEMO=1."""

from django.urls import path

from config.demo.tour import views

urlpatterns = [
    path("", views.tour, name="demo"),
    path("report.txt", views.report_file, name="demo-report"),
    path("comparison/", views.comparison, name="demo-comparison"),
]
